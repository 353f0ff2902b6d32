import { useApiData } from '../api/use-api-data.ts';
import { useMoneyEvents } from '../money/use-money-events.ts';

const AGAIN_MS = 60_000;
/** The leads of three months are read for it. */
const AFTER_EVENTS_MS = 10_000;

/** Loads the overview's figures, and again after a change to anyone's money. */
export function useOverview() {
  const overview = useApiData('GET /api/admin/overview', {}, { refreshInterval: AGAIN_MS });
  useMoneyEvents(overview.reload, AFTER_EVENTS_MS);
  return overview;
}
