import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { londonDate } from '@site/schema/calendar';
import { isUrgencyClaimStale } from '@site/schema/offer';
import { siteSettings } from '../../site-settings.ts';
import { useApiData } from '../api/use-api-data.ts';
import { useMoneyReload } from '../api/use-money-reload.ts';
import { describeWaiting } from '../sync/strip-words.ts';
import { useNow } from '../shared/use-now.ts';

const AFTER_EVENTS_MS = 3_000;

export type Condition = SyncHealthAnswer['conditions'][number];

/** What is wrong with the system, and whether the site announces a price rise that has passed. */
export function useSystemAttention(): {
  conditions: Condition[];
  pause: SyncHealthAnswer['pause'];
  /** Who waits meanwhile, in words. */
  waiting: string;
  isOfferStale: boolean;
  isKnown: boolean;
} {
  const today = londonDate(useNow(false));
  const { offerPhase, priceRisesOn } = siteSettings();
  const { data: health } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  return {
    // Failed leads have a row of their own, and what stops all explains why some wait.
    conditions:
      health?.conditions.filter(
        ({ kind }) =>
          kind !== 'leads-failed' && (kind !== 'pending-too-long' || health.state === 'running'),
      ) ?? [],
    isKnown: health !== undefined,
    pause: health?.pause ?? null,
    waiting: health ? describeWaiting({ ...health, conditions: [] }) : '',
    isOfferStale: isUrgencyClaimStale(offerPhase, priceRisesOn, today),
  };
}

/** Counts the rows of what needs attention. None until all of it is known: a part of the count would be wrong. */
export function useAttentionCount(): number {
  const { data, reload } = useApiData('GET /api/admin/money/attention');
  const { conditions, isOfferStale, isKnown } = useSystemAttention();
  // Leads that fail, or are corrected, change the count.
  useMoneyReload(reload, AFTER_EVENTS_MS, true);
  return !data || !isKnown ? 0 : data.count + conditions.length + (isOfferStale ? 1 : 0);
}
