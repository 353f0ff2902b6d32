import { toUrl } from '../../http.ts';
import { useApiData } from '../api/use-api-data.ts';

export const RETRY_RUNS = toUrl('GET /api/admin/retry-runs');

export function useRetryRuns() {
  const { data, fault, reload } = useApiData('GET /api/admin/retry-runs');
  return { runs: data?.runs, fault, reload };
}
