import { OFFER } from '@site/schema/offer';
import type { ShownOffer } from '../../site/shown-offer.ts';

/** Five questions of a buyer, answered for the phase of the offer. */
export function faqItems({ isLaunch, price }: ShownOffer) {
  return [
    {
      id: 'trial',
      heading: 'What does the trial include?',
      content:
        'Everything a subscriber has: the next issue, the CSV file, the outreach templates and ' +
        `all past issues. Stripe asks for a card, takes nothing today, and charges ${price} on ` +
        `day ${OFFER.trialDays} unless you have cancelled by then.`,
    },
    {
      id: 'cancel',
      heading: 'How do I cancel?',
      content:
        'In Stripe, where you paid, or by writing to us. No call, no form. During the trial you ' +
        'then pay nothing. After it, you keep access to the end of the time you have paid for.' +
        (isLaunch ? ' The price you joined at stays the same until you cancel.' : ''),
    },
    {
      id: 'sources',
      heading: 'Where do the leads come from?',
      content:
        'From public notices of insolvency, from the practitioners who are appointed to sell, ' +
        'and from owners who want to sell before it comes to that. We select what is digital, ' +
        'ring the person who decides, and print only what they confirm is still for sale.',
    },
    {
      id: 'contact',
      heading: 'Is it legal to contact these people?',
      content:
        'Yes. Liquidators and administrators are appointed to find buyers, and their office ' +
        'details are on the public notice. An owner appears only after telling us that buyers ' +
        'may ring. What we print are business contacts, given for one purpose: to ask about ' +
        'that sale. Using them for anything else is not allowed.',
    },
    {
      id: 'refund',
      heading: 'What if nothing suits me?',
      content:
        'Then it costs you nothing. Cancel during the trial and nothing is charged. If you stay ' +
        `past it and find no value, write to us within ${OFFER.guaranteeDays} days of the day ` +
        'your trial begins for a full refund. You need not say why, and the refund is processed ' +
        `in ${OFFER.refundBusinessDays} business days.`,
    },
  ];
}
