import { useApiData } from '../api/use-api-data.ts';

/** While a worker compares or puts something right. */
const SOON_MS = 3_000;

/** Loads what the last comparison found, and again soon while a worker changes it. */
export function useDifferences() {
  return useApiData(
    'GET /api/admin/differences',
    {},
    {
      refreshInterval: (answer) =>
        answer && (answer.subscribersRead !== null || answer.differences.some(({ isRequested }) => isRequested))
          ? SOON_MS
          : 0,
    },
  );
}
