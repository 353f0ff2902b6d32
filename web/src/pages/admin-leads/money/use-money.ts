import type { MoneyAnswer, Reviewable } from '@site/schema/money';
import { useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import { callApi, createFetcher } from '../../../http.ts';
import { toasts } from '../../../ui/toast-store.ts';
import { describeFault, isSignedOut } from '../call-fault.ts';
import { MONEY_ATTENTION } from './use-money-attention.ts';

const AGAIN_MS = 30_000;
const fetchMoney = createFetcher<MoneyAnswer>();

/** How subscriptions are doing and what of it a person should look at, and a way to say that it was. */
export function useMoney(onSignedOut: () => void) {
  const shared = useSWRConfig();
  const [reviewing, setReviewing] = useState<string>();
  const { data, error, mutate } = useSWR<MoneyAnswer, unknown>('/api/admin/money', fetchMoney, {
    revalidateIfStale: true,
    refreshInterval: AGAIN_MS,
    onError: (failure: unknown) => {
      if (isSignedOut(failure)) return onSignedOut();
      console.error('The figures of money could not be loaded', failure);
    },
  });
  const addressOf = (kind: Reviewable, id: string) => `/api/admin/money/${kind}/${encodeURIComponent(id)}/review`;
  /** True once it is noted that somebody looked at it. */
  const review = async (kind: Reviewable, id: string): Promise<boolean> => {
    setReviewing(addressOf(kind, id));
    try {
      await callApi('POST', addressOf(kind, id));
      await Promise.all([mutate(), shared.mutate(MONEY_ATTENTION)]);
      return true;
    } catch (failure) {
      if (isSignedOut(failure)) onSignedOut();
      else {
        console.error('The review could not be noted', failure);
        toasts.add({ title: 'Review failed', description: describeFault(failure), tone: 'destructive' });
      }
      return false;
    } finally {
      setReviewing(undefined);
    }
  };
  return {
    money: data,
    fault: error,
    isReviewing: (kind: Reviewable, id: string) => reviewing === addressOf(kind, id),
    review,
    reload: () => mutate(),
  };
}
