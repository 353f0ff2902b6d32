import { addDays } from '@site/schema/calendar';
import type { Receipt } from '@site/schema/calls/visitor';
import { OFFER } from '@site/schema/offer';
import { useNow } from '../../site/use-now.ts';

/** Returns the dates of a trial that begins now. Their text reserves room for the real dates. */
export function useUsualTrial(): Pick<Receipt, 'startedAt'> & { firstChargeAt: string } {
  const now = useNow();
  return { startedAt: now.toISOString(), firstChargeAt: addDays(now, OFFER.trialDays).toISOString() };
}
