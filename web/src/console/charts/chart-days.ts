import type { ChartsAnswer } from '@site/schema/calls/charts';
import { addDays } from '../filters/date-presets.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type Day = ChartsAnswer['days'][number];
type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;

/** A history without a start fills at least so many days, so that a few leads do not stand alone. */
const MIN_DAYS = 14;

/**
 * Returns the last `most` days of the filter's dates, up to today. The answer leaves out days without leads, which are
 * filled in. Without a start they begin with the first lead, or `MIN_DAYS` ago.
 */
export function lastDays(days: readonly Day[], { startDate, endDate }: Dates, today: string, most: number): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const last = endDate !== undefined && endDate < today ? endDate : today;
  const fewest = addDays(last, 1 - MIN_DAYS);
  const first = startDate ?? [days[0]?.day ?? fewest, fewest].toSorted()[0] ?? fewest;
  const shown: Day[] = [];
  for (let day = last; shown.length < most && day >= first; day = addDays(day, -1)) {
    shown.unshift(known.get(day) ?? { day, preSample: 0, preBuy: 0 });
  }
  return shown;
}

/** Neighbouring days as one column. */
export type Step = { from: string; to: string; days: Day[] };
export type StepName = 'day' | 'week' | 'month';

/** As many columns as can be told apart. */
const MAX_COLUMNS = 31;

/** Groups days into weeks, or months, where there are too many for a column each. Weeks begin on Monday. */
export function toSteps(days: readonly Day[]): { step: StepName; steps: Step[] } {
  const step = days.length <= MAX_COLUMNS ? 'day' : days.length <= MAX_COLUMNS * 7 ? 'week' : 'month';
  const steps: Step[] = [];
  for (const day of days) {
    const last = steps.at(-1);
    if (last === undefined || beginsStep(day.day, step)) steps.push({ from: day.day, to: day.day, days: [day] });
    else {
      last.to = day.day;
      last.days.push(day);
    }
  }
  return { step, steps };
}

function beginsStep(day: string, step: StepName): boolean {
  if (step === 'month') return day.endsWith('-01');
  return step === 'day' || new Date(day).getUTCDay() === 1;
}
