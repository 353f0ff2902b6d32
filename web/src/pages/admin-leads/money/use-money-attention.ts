import type { MoneyAttentionAnswer } from '@site/schema/money';
import { useApiData } from '../api/use-api-data.ts';
import { useMoneyEvents } from './use-money-events.ts';

export const MONEY_ATTENTION = '/api/admin/money/attention';
const AGAIN_MS = 60_000;

/** Counts what needs attention in the money view: 0 while unknown, since the view itself shows a failure. */
export function useMoneyAttention(): number {
  const { data, reload } = useApiData<MoneyAttentionAnswer>(MONEY_ATTENTION, { refreshInterval: AGAIN_MS });
  useMoneyEvents(reload);
  return data?.count ?? 0;
}
