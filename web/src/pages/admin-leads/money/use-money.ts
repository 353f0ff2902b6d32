import type { Reviewable } from '@site/schema/calls/money';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { showFailure } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { useSession } from '../session/session.tsx';
import { MONEY_ATTENTION } from './use-money-attention.ts';
import { useMoneyEvents } from './use-money-events.ts';

const AGAIN_MS = 30_000;

/** Loads the money view, and records that an operator has reviewed an item. */
export function useMoney() {
  const { call } = useSession();
  const { mutate } = useSWRConfig();
  const [reviewing, setReviewing] = useState<string>();
  const { data: money, fault, reload } = useApiData('GET /api/admin/money', {}, { refreshInterval: AGAIN_MS });
  useMoneyEvents(reload);
  const keyOf = (kind: Reviewable, id: string) => `${kind} ${id}`;
  return {
    money,
    fault,
    reload,
    isReviewing: (kind: Reviewable, id: string) => reviewing === keyOf(kind, id),
    /** Returns whether the review was recorded. */
    review: async (kind: Reviewable, id: string): Promise<boolean> => {
      setReviewing(keyOf(kind, id));
      try {
        await call(`POST /api/admin/money/${kind}/:id/review`, { params: { id } });
        await Promise.all([reload(), mutate(MONEY_ATTENTION)]);
        return true;
      } catch (failure) {
        showFailure('Review failed', failure);
        return false;
      } finally {
        setReviewing(undefined);
      }
    },
  };
}
