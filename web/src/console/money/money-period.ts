import { dayBefore, londonDate } from '@site/schema/calendar';
import type { MoneyPeriod } from '@site/schema/calls/money-figures';
import { useSearchParams } from 'react-router-dom';
import { describeDates } from '../lead/filter-labels.ts';
import { useDateFault } from '../shared/FilterForm.tsx';
import { useFilter } from '../shared/use-filter.ts';
import { useNow } from '../shared/use-now.ts';

type Column = { name: string; period: MoneyPeriod };
/** What the view is about: a month beside the one before, or any other days alone. */
export type ShownPeriod = {
  period: MoneyPeriod;
  /** `December 2025`, or the dates. */
  name: string;
  /** `in December 2025`, or `from 10 August to 20 September 2026`. */
  within: string;
  /** `YYYY-MM`, unless it is another period. */
  month: string | undefined;
  isCurrent: boolean;
  /** It ended before today, so what waits now is shown elsewhere. */
  isPast: boolean;
  /** `18 of 31 days`. */
  progress: string | undefined;
  columns: [Column, ...Column[]];
};

/** As many years can be chosen: the call answers up to 60 months. */
export const MAX_YEARS = 4;

/** Returns the year before this one that the address names. */
export function useChosenYear(): number | undefined {
  const thisYear = Number(londonDate(useNow(false)).slice(0, 4));
  const asked = Number(useSearchParams()[0].get('year'));
  return asked > thisYear - MAX_YEARS && asked < thisYear ? asked : undefined;
}

/** Returns the period of the address's dates, or without any that are right the last month of the chosen year, or this month. */
export function useMoneyPeriod(): ShownPeriod {
  const today = londonDate(useNow(false));
  const year = useChosenYear();
  const { startDate, endDate } = useFilter('money').filter;
  const areWrong = useDateFault() !== undefined;
  const dates =
    !areWrong && (startDate || endDate)
      ? { startDate, endDate }
      : wholeMonth(year ? `${year}-12` : today.slice(0, 7));
  return toShownPeriod(dates, today);
}

/** `2025-12` as its first and last day. */
export function wholeMonth(month: string) {
  const next = addMonths(month, 1);
  return { startDate: `${month}-01`, endDate: dayBefore(`${next}-01`) };
}

/** Adds months to a month, `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

/** `Dec`, or `December` if it is `long`. */
export function nameMonth(month: string, length: 'short' | 'long' = 'short'): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: length });
  return format
    .format(new Date(`${month}-01T00:00:00Z`))
    .slice(0, length === 'short' ? 3 : undefined);
}

/** Compares a month with the one before: while it lasts, with the same days and with all of them. */
function toShownPeriod(chosen: MoneyPeriod, today: string): ShownPeriod {
  const month = chosen.startDate?.slice(0, 7) ?? '';
  const whole = month && wholeMonth(month);
  const isPast = chosen.endDate !== undefined && chosen.endDate < today;
  if (!whole || chosen.startDate !== whole.startDate || chosen.endDate !== whole.endDate) {
    const name = describeDates(chosen);
    const columns: ShownPeriod['columns'] = [{ name: 'Amount', period: chosen }];
    const { startDate, endDate } = chosen;
    const within = startDate && endDate ? `${startDate === endDate ? 'on' : 'from'} ${name}` : name;
    return {
      period: chosen,
      name,
      within,
      month: undefined,
      isCurrent: false,
      isPast,
      progress: undefined,
      columns,
    };
  }
  const before = addMonths(month, -1);
  const isCurrent = month === today.slice(0, 7);
  const wholeBefore = wholeMonth(before);
  const day = Number(today.slice(8));
  const lastDay = (of: string) => Number(wholeMonth(of).endDate.slice(8));
  const same = Math.min(day, lastDay(before));
  const upTo = (last: number, of: string) => `${last === 1 ? '' : '1 to '}${last} ${nameMonth(of)}`;
  const name = `${nameMonth(month, 'long')} ${month.slice(0, 4)}`;
  return {
    period: whole,
    name,
    within: `in ${name}`,
    month,
    isCurrent,
    isPast,
    progress: isCurrent ? `${day} of ${lastDay(month)} days` : undefined,
    columns: isCurrent
      ? [
          { name: upTo(day, month), period: whole },
          {
            name: upTo(same, before),
            period: {
              startDate: wholeBefore.startDate,
              endDate: `${before}-${String(same).padStart(2, '0')}`,
            },
          },
          { name: `All of ${nameMonth(before)}`, period: wholeBefore },
        ]
      : [
          { name: nameMonth(month, 'long'), period: whole },
          { name: nameMonth(before, 'long'), period: wholeBefore },
        ],
  };
}
