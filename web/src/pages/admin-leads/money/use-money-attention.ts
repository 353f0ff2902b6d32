import type { MoneyAttentionAnswer } from '@site/schema/money';
import useSWR, { useSWRConfig } from 'swr';
import { createFetcher } from '../../../http.ts';
import { isSignedOut } from '../call-fault.ts';

export const MONEY_ATTENTION = '/api/admin/money/attention';
const AGAIN_MS = 60_000;
const isOfMoney = (key: unknown) => typeof key === 'string' && /^\/api\/admin\/money(?:\/abandoned.*)?$/.test(key);
const fetchCount = createFetcher<MoneyAttentionAnswer>();

/** How many things of Stripe's a person should look at: none while that is not known, since the view itself will say so. */
export function useMoneyAttention(onSignedOut: () => void) {
  const shared = useSWRConfig();
  const { data, mutate } = useSWR<MoneyAttentionAnswer, unknown>(MONEY_ATTENTION, fetchCount, {
    revalidateIfStale: true,
    refreshInterval: AGAIN_MS,
    onError: (failure: unknown) => {
      if (isSignedOut(failure)) onSignedOut();
    },
  });
  return {
    count: data?.count ?? 0,
    /** With all that is counted of money; not what Stripe sent, for to read that is put on record. */
    reload: () => Promise.all([mutate(), shared.mutate(isOfMoney)]),
  };
}
