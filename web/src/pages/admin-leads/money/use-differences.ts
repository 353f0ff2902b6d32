import type { Difference, DifferencesAnswer } from '@site/schema/differences';
import { useState } from 'react';
import { showFailure } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { useSession } from '../session/session.tsx';

/** While a worker puts something right. */
const SOON_MS = 3_000;

/** Loads what the last comparison found, and asks for remedies. */
export function useDifferences() {
  const { call } = useSession();
  const [asking, setAsking] = useState<number>();
  const { data, fault, reload } = useApiData<DifferencesAnswer>('/api/admin/differences', {
    refreshInterval: (answer) => (answer?.differences.some(({ isRequested }) => isRequested) ? SOON_MS : 0),
  });
  return {
    found: data,
    fault,
    reload,
    asking,
    putRight: async ({ id }: Difference) => {
      setAsking(id);
      try {
        await call('POST', `/api/admin/differences/${id}/remedy`);
        await reload();
      } catch (failure) {
        showFailure('It could not be put right', failure);
      } finally {
        setAsking(undefined);
      }
    },
  };
}
