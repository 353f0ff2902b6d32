import { useApiData } from '../api/data.tsx';
import type { SyncState } from '@site/schema/conditions';
import type { Halt } from './progress.ts';

const HALT_OF: Partial<Record<SyncState, Halt>> = {
  paused: 'pause',
  outage: 'outage',
  'no-worker': 'worker',
};

/** Returns the reason why all leads wait, if any, from the strip's data. */
export function useHalt(): Halt {
  const { data } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  return data && HALT_OF[data.state];
}
