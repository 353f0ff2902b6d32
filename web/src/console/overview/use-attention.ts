import { useApiData } from '../api/use-api-data.ts';
import { useMoneyReload } from '../api/use-money-reload.ts';

const AFTER_EVENTS_MS = 3_000;

/** Loads what needs attention. Leads that fail, or are corrected, change it too. */
export function useAttention() {
  const attention = useApiData('GET /api/admin/attention');
  useMoneyReload(attention.reload, AFTER_EVENTS_MS, true);
  return attention;
}
