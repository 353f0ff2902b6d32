import { OFFER } from '@site/schema/offer';
import type { ShownOffer } from '../../site/shown-offer.ts';

/** The five questions, each answered for the phase of the offer. */
export function faqItems({ isLaunch, price }: ShownOffer) {
  return [
    {
      id: 'tuesday',
      heading: 'What arrives on Tuesday?',
      content: `One email at 9AM GMT with ${OFFER.opportunitiesPerIssue} opportunities: the business, its sector, who decides and their direct line, what is worth having and when bids close. The same entries come as a CSV file, with outreach templates, and past issues stay open to you.`,
    },
    {
      id: 'verified',
      heading: 'How is a lead verified?',
      content:
        'We match it to its public notice, then ring the liquidator, practitioner or owner and ask whether the assets are still for sale. If nobody confirms, it is not printed.',
    },
    {
      id: 'contact',
      heading: 'May I contact these people?',
      content:
        'Yes. Liquidators and administrators are appointed to sell, and their office details stand on the public notice. Owners appear only when they have told us that they want to be rung about a sale.',
    },
    {
      id: 'suits',
      heading: 'What if nothing suits me?',
      content: `The first ${OFFER.trialDays} days are a trial: cancel in them and nothing is charged. If you stay and find no value, write within ${OFFER.guaranteeDays} days for a full refund. It is processed in ${OFFER.refundBusinessDays} business days.`,
    },
    {
      id: 'cancel',
      heading: 'How do I cancel?',
      content: `In Stripe, where you paid, or by writing to us. No call, no form, and it takes effect at the end of the period you have paid for.${
        isLaunch ? ` Until you cancel, your price stays at ${price} a month for life.` : ''
      }`,
    },
  ];
}
