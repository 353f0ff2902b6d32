import { useApiData } from '../api/use-api-data.ts';
import type { Halt } from './lead-labels.ts';

/** Returns why all leads wait, if they do, as far as the strip at the top of the console knows. */
export function useHalt(): Halt {
  const { data } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  return data?.state === 'paused' ? 'pause' : data?.state === 'outage' ? 'outage' : undefined;
}
