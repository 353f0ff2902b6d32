import { useLiveEvents } from '../live/LiveUpdates.tsx';
import { useThrottledTask } from '../time/use-throttled-task.ts';

const WAIT_MS = 1_000;

/** Loads figures of money again after Stripe's events, once for all that arrive within the wait. */
export function useMoneyEvents(reload: () => Promise<unknown>, waitMs = WAIT_MS): void {
  const reloadSoon = useThrottledTask(waitMs, () => void reload());
  useLiveEvents((event) => {
    if (event.hasMoneyChanged) reloadSoon();
  });
}
