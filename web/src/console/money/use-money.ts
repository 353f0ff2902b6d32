import { useApiData } from '../api/use-api-data.ts';
import { useMoneyEvents } from './use-money-events.ts';

const AGAIN_MS = 30_000;

/** Loads the money view. */
export function useMoney() {
  const { data: money, fault, reload } = useApiData('GET /api/admin/money', {}, { refreshInterval: AGAIN_MS });
  useMoneyEvents(reload);
  return { money, fault, reload };
}
