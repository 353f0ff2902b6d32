import { useApiData } from '../api/use-api-data.ts';
import { useMoneyPeriod } from './money-period.ts';
import { useMoneyEvents } from './use-money-events.ts';

const AGAIN_MS = 60_000;
/** With hundreds of thousands of invoices, a year of revenue takes a second to sum. */
const AFTER_EVENTS_MS = 10_000;

/** Loads the figures of the period, and again after a change to anyone's money. */
export function useMoneyFigures() {
  const { period } = useMoneyPeriod();
  const {
    data: figures,
    fault,
    reload,
  } = useApiData(
    'GET /api/admin/money/figures',
    { query: period },
    { keepPreviousData: true, refreshInterval: AGAIN_MS },
  );
  useMoneyEvents(reload, AFTER_EVENTS_MS);
  return { figures, fault, reload };
}
