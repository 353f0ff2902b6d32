import type { RetryRun } from '@site/schema/calls/retry';
import { useState } from 'react';
import { toUrl } from '../../../http.ts';
import { showFailure } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { useLiveEvents } from '../live/LiveUpdates.tsx';
import { useSession } from '../session/session.tsx';

export const RETRY_RUNS = toUrl('GET /api/admin/retry-runs');

/** Loads the bulk retries, and can stop one. */
export function useRetryRuns() {
  const { call } = useSession();
  const [stopping, setStopping] = useState<string>();
  const { data, fault, reload } = useApiData('GET /api/admin/retry-runs');
  useLiveEvents((event) => (event.haveRunsChanged ? reload() : undefined));
  const stop = async ({ id }: RetryRun) => {
    setStopping(id);
    try {
      await call('POST /api/admin/retry-runs/:id/stop', { params: { id } });
    } catch (failure) {
      showFailure('Stop failed', failure);
    } finally {
      setStopping(undefined);
      await reload();
    }
  };
  return { runs: data?.runs, fault, reload, stopping, stop };
}
