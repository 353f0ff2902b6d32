import { useApiData } from '../api/use-api-data.ts';
import { withoutSort, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { useLiveEvents } from '../api/LiveUpdates.tsx';
import { useThrottledTask } from '../api/use-throttled-task.ts';

const NEW_LEADS_MS = 5_000;

/** The first lead shows at once, because charts that say there are none would be wrong beside it. */
const FIRST_LEAD_MS = 500;

/** Loads the figures of a filter's charts, and again soon after new leads. */
export function useCharts(filter: ListFilter) {
  const charts = useApiData(
    'GET /api/admin/charts',
    { query: withoutSort(withoutStatus(filter)) },
    { keepPreviousData: true },
  );
  const isEmpty = charts.data?.days.length === 0;
  const reloadSoon = useThrottledTask(
    isEmpty ? FIRST_LEAD_MS : NEW_LEADS_MS,
    () => void charts.reload(),
  );
  useLiveEvents(({ hasNew, isReload, gone }) => {
    if (hasNew || isReload || gone.length > 0) reloadSoon();
  });
  return charts;
}
