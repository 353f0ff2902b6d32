import { useApiData } from '../api/data.tsx';

/** Loads what needs attention. Leads that fail, or are corrected, change it too. */
export function useAttention() {
  const attention = useApiData('GET /api/admin/attention');
  return attention;
}
