import { londonDate } from '@site/schema/calendar';
import type { MoneyMonth } from '@site/schema/calls/money-history';
import type { MoneyPeriod } from '@site/schema/calls/money-figures';
import { useApiData } from '../api/use-api-data.ts';
import { useFirstRun } from '../set-up/use-set-up.ts';
import { useNow } from '../shared/use-now.ts';
import { addMonths, MAX_YEARS, useChosenYear } from './money-period.ts';
import { useMoneyReload } from '../api/use-money-reload.ts';

const AFTER_EVENTS_MS = 10_000;
const FIGURES = { keepPreviousData: true };
const MONTHS = 12;

/** Loads what is of now: stages, prices, and what needs attention. */
export function useMoney() {
  const { data: money, fault, reload } = useApiData('GET /api/admin/money');
  useMoneyReload(reload);
  return { money, fault, reload };
}

export function useMoneyFigures(period: MoneyPeriod | undefined) {
  const loading = useApiData(
    'GET /api/admin/money/figures',
    period ? { query: period } : null,
    FIGURES,
  );
  useMoneyReload(loading.reload, AFTER_EVENTS_MS);
  return loading;
}

/** Tells whether nothing was ever sold, as long as there are steps to set up. */
export function useNothingSold(): boolean {
  const { months } = useMoneyYears();
  const { money } = useMoney();
  const isEmpty =
    months?.every(({ paidPence }) => !paidPence) &&
    money &&
    Object.values(money.stages).every((n) => n === 0);
  return useFirstRun().isFirstRun && isEmpty === true;
}

/** Returns the twelve months up to now or up to the end of a year, which the address names, and the years to choose from. */
export function useMoneyYears() {
  const now = londonDate(useNow(false)).slice(0, 7);
  const thisYear = Number(now.slice(0, 4));
  const year = useChosenYear();
  const last = year === undefined ? now : `${year}-12`;
  const ago = year === undefined ? 0 : 12 * (thisYear - 1 - year) + Number(now.slice(5));
  const query = { months: MONTHS + ago };
  const { data, fault, reload } = useApiData('GET /api/admin/money/history', { query }, FIGURES);
  useMoneyReload(reload, AFTER_EVENTS_MS);
  const first = Math.max(Number((data?.since ?? now).slice(0, 4)), thisYear - MAX_YEARS + 1);
  const years = Array.from({ length: Math.max(0, thisYear - first) }, (_, n) => thisYear - 1 - n);
  const latest = now.endsWith('12') ? String(thisYear) : 'Last 12 months';
  const months = data?.months.filter(
    ({ month }) => month <= last && month > addMonths(last, -MONTHS),
  );
  return { months, since: data?.since ?? null, latest, years, year, fault, reload };
}

/** What a month brought in: what was paid, less refunds and lost disputes. Null: not known. */
export function moneyIn({ paidPence, refundedPence, lostPence }: MoneyMonth): number | null {
  return paidPence === null || refundedPence === null || lostPence === null
    ? null
    : paidPence - refundedPence - lostPence;
}
