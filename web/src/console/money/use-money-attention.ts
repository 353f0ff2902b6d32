import { toUrl } from '../../http.ts';
import { useApiData } from '../api/use-api-data.ts';
import { useMoneyEvents } from './use-money-events.ts';

export const MONEY_ATTENTION = toUrl('GET /api/admin/money/attention');
const AGAIN_MS = 60_000;

/** Counts what needs attention in the money view: 0 while unknown, since the view itself shows a failure. */
export function useMoneyAttention(): number {
  const { data, reload } = useApiData('GET /api/admin/money/attention', {}, { refreshInterval: AGAIN_MS });
  useMoneyEvents(reload);
  return data?.count ?? 0;
}
