import type { RetryRun, RetryRunsAnswer } from '@site/schema/console';
import { useState } from 'react';
import useSWR from 'swr';
import { callApi, createFetcher } from '../../../http.ts';
import { toasts } from '../../../ui/toast-store.ts';
import { describeFault, isSignedOut } from '../call-fault.ts';

const fetchRuns = createFetcher<RetryRunsAnswer>();

/** The retries of many, and a way to stop one. */
export function useRetryRuns(onSignedOut: () => void) {
  const [stopping, setStopping] = useState<string>();
  const { data, error, mutate } = useSWR<RetryRunsAnswer, unknown>('/api/admin/retry-runs', fetchRuns, {
    revalidateIfStale: true,
    onError: (failure: unknown) => {
      if (isSignedOut(failure)) return onSignedOut();
      console.error('The retry runs could not be loaded', failure);
    },
  });
  const stop = async (run: RetryRun) => {
    setStopping(run.id);
    try {
      await callApi('POST', `/api/admin/retry-runs/${run.id}/stop`);
    } catch (failure) {
      if (isSignedOut(failure)) return onSignedOut();
      console.error('The run could not be stopped', failure);
      toasts.add({ title: 'Stop failed', description: describeFault(failure), tone: 'destructive' });
    } finally {
      setStopping(undefined);
      await mutate();
    }
  };
  return { runs: data?.runs, fault: error, stopping, stop, reload: () => mutate() };
}
