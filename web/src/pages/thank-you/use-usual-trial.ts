import { addDays } from '@site/schema/calendar';
import type { Receipt } from '@site/schema/checkout';
import { OFFER } from '@site/schema/offer';
import { useNow } from '../../site/use-now.ts';

/** The dates of a trial that began just now, as most have when their receipt is awaited: what comes will be as long. */
export function useUsualTrial(): Pick<Receipt, 'startedAt'> & { firstChargeAt: string } {
  const now = useNow();
  return { startedAt: now.toISOString(), firstChargeAt: addDays(now, OFFER.trialDays).toISOString() };
}
