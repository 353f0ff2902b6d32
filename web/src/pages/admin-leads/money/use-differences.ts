import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { showFailure } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { useSession } from '../session/session.tsx';

/** While a worker compares or puts something right. */
const SOON_MS = 3_000;

/** Loads what the last comparison found, and asks for remedies. */
export function useDifferences() {
  const { call } = useSession();
  const [asking, setAsking] = useState<number | 'comparison'>();
  const { data, fault, reload } = useApiData(
    'GET /api/admin/differences',
    {},
    {
      refreshInterval: (answer) =>
        answer && (answer.subscribersRead !== null || answer.differences.some(({ isRequested }) => isRequested))
          ? SOON_MS
          : 0,
    },
  );
  const ask = async (what: number | 'comparison', send: () => Promise<unknown>) => {
    setAsking(what);
    try {
      await send();
      await reload();
    } catch (failure) {
      showFailure('The request failed', failure);
    } finally {
      setAsking(undefined);
    }
  };
  return {
    found: data,
    fault,
    reload,
    asking,
    putRight: ({ id }: Difference) => ask(id, () => call('POST /api/admin/differences/:id/remedy', { params: { id } })),
    compare: () => ask('comparison', () => call('POST /api/admin/differences/compare')),
  };
}
