import { OFFER } from '@site/schema/offer';
import { shownOffer } from '../site/shown-offer.ts';

/** Renders the price and the trial in a line. */
export function Terms() {
  const { isLaunch, price } = shownOffer();
  return `${price}/month${isLaunch ? ', locked for life' : ''}. ${OFFER.trialDays}-day trial.`;
}
