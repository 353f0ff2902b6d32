import { useLiveEvents } from '../live/LiveUpdates.tsx';
import { useThrottledTask } from '../time/use-throttled-task.ts';

const WAIT_MS = 1_000;

/** Loads figures of money again after Stripe's events, once for all that arrive together. */
export function useMoneyEvents(reload: () => Promise<unknown>): void {
  const reloadSoon = useThrottledTask(WAIT_MS, () => void reload());
  useLiveEvents((event) => {
    if (event.hasMoneyChanged) reloadSoon();
  });
}
