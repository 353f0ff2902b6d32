import { formatPence, listPricePence, UPSELLS, upsellPricePence } from '@site/schema/offer';
import type { OfferPhase, UpsellPlan } from '@site/schema/offer';

const BUTTONS: Record<UpsellPlan, string> = { monthly15: 'Get 15% Off – Monthly', annual25: 'Go Annual – Save 25%' };

/** Calculates a plan's cost line by line, so that the two plans can be compared. Amounts are to the penny. */
export function offerSum(phase: OfferPhase, plan: UpsellPlan) {
  const { interval, percentOff } = UPSELLS[plan];
  const isAnnual = interval === 'annual';
  const listPence = listPricePence(phase, interval);
  const pricePence = upsellPricePence(phase, plan);
  const yearPence = isAnnual ? pricePence : pricePence * 12;
  const priceName = phase === 'launch' ? 'Launch price' : 'Price';
  return {
    name: isAnnual ? 'Annual' : 'Monthly',
    button: BUTTONS[plan],
    terms: [
      { label: isAnnual ? `${priceName} × 12` : priceName, value: exact(listPence) },
      { label: `Less ${percentOff}%`, value: `−${exact(listPence - pricePence)}` },
    ],
    result: { label: isAnnual ? 'Per year' : 'Per month', value: exact(pricePence) },
    year: `${exact(Math.round(yearPence / 12))} × 12 = ${exact(yearPence)}`,
    saving: exact(listPricePence(phase, 'annual') - yearPence),
    yearPence,
  };
}

function exact(pence: number): string {
  return formatPence(pence, true);
}
