import { useLiveEvents } from './live.tsx';
import { useThrottledTask } from './use-throttled-task.ts';

const WAIT_MS = 1_000;

/** Loads figures of money again after Stripe's events, or those of leads too, once for all that arrive within the wait. */
export function useMoneyReload(
  reload: () => Promise<unknown>,
  waitMs = WAIT_MS,
  withLeads = false,
): void {
  const reloadSoon = useThrottledTask(waitMs, () => void reload());
  useLiveEvents(({ hasMoneyChanged, leads, gone }) => {
    if (hasMoneyChanged || (withLeads && leads.length + gone.length > 0)) reloadSoon();
  });
}
