import { dayBefore, londonDate } from '@site/schema/calendar';
import type { MoneyMonth, MoneyPeriod } from '@site/schema/calls/money';
import type { FigureName, MoneyList } from '@site/schema/calls/money-figures';
import { formatPence } from '@site/schema/offer';
import type { BillingInterval } from '@site/schema/offer';
import { toDatesText } from '../lead/filter-labels.ts';
import { toSearch, useFilter } from '../shared/filter.ts';
import { formatCount } from '../shared/format.ts';
import { useNow } from '../shared/use-now.ts';

/** Returns the period in the URL, or else this month, and its name. */
export function useMoneyPeriod() {
  const thisMonth = londonDate(useNow(false)).slice(0, 7);
  const { startDate, endDate } = useFilter('money').filter;
  const isChosen = startDate !== undefined || endDate !== undefined;
  const period: MoneyPeriod = isChosen ? { startDate, endDate } : wholeMonth(thisMonth);
  const month = (period.startDate ?? thisMonth).slice(0, 7);
  const { startDate: first, endDate: last } = wholeMonth(month);
  const isWhole = period.startDate === first && period.endDate === last;
  return {
    period,
    isChosen,
    /** `YYYY-MM`, unless the period is not a month. */
    month: isWhole ? month : undefined,
    name: isWhole ? `${nameMonth(month)} ${month.slice(0, 4)}` : toDatesText(period),
  };
}

/** Returns the first and last day of `2025-12`. */
export function wholeMonth(month: string) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year, number)).toISOString().slice(0, 10);
  return { startDate: `${month}-01`, endDate: dayBefore(next) };
}

const names = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long' });

/** Returns `December` for `2025-12`. */
export const nameMonth = (month: string) => names.format(new Date(`${month}-01`));

/** Returns an amount or a count in words. An unknown figure is not 0. */
export function formatFigure(value: MoneyMonth[FigureName]): string {
  if (value === null) return '?';
  if (typeof value === 'number') return formatCount(value);
  return formatPence(value.pence).replace('-', '−');
}

/** Returns true if a figure is known and not zero. */
export const isSome = (value: MoneyMonth[FigureName]) =>
  ((typeof value === 'number' ? value : value?.pence) ?? 0) !== 0;

/** Writes the query of a list of rows: of a period, of a stage, or of a price's payers. */
export function toRows(
  of: MoneyList,
  period: MoneyPeriod = {},
  price: { plan?: BillingInterval; price?: number } = {},
): string {
  const parts = Object.entries({ people: of, ...price }).map(([name, value]) => `${name}=${value}`);
  return [toSearch(period, 'money'), ...parts].join('&');
}
