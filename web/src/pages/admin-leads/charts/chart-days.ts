import type { ChartsAnswer } from '@site/schema/console';
import { addDays } from '../filters/date-presets.ts';
import type { ListFilter } from '../filters/filter-params.ts';

type Day = ChartsAnswer['days'][number];
type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;

/**
 * Returns the last `most` days of the filter's dates, up to today. The answer leaves out days without leads, which are
 * filled in.
 */
export function lastDays(days: readonly Day[], { startDate, endDate }: Dates, today: string, most: number): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const last = endDate !== undefined && endDate < today ? endDate : today;
  const shown: Day[] = [];
  for (let day = last; shown.length < most && day >= (startDate ?? ''); day = addDays(day, -1)) {
    shown.unshift(known.get(day) ?? { day, preSample: 0, preBuy: 0 });
  }
  return shown;
}

/** Neighbouring days as one column. */
export type Step = { from: string; to: string; preSample: number; preBuy: number };
export type StepName = 'day' | 'week' | 'month';

/** As many columns as can be told apart. */
const MOST_COLUMNS = 31;

/** Sums days up to weeks, or months, where there are too many for a column each. Weeks begin on Monday. */
export function toSteps(days: readonly Day[]): { step: StepName; steps: Step[] } {
  const step = days.length <= MOST_COLUMNS ? 'day' : days.length <= MOST_COLUMNS * 7 ? 'week' : 'month';
  const steps: Step[] = [];
  for (const { day, preSample, preBuy } of days) {
    const last = steps.at(-1);
    if (last === undefined || beginsStep(day, step)) steps.push({ from: day, to: day, preSample, preBuy });
    else {
      last.to = day;
      last.preSample += preSample;
      last.preBuy += preBuy;
    }
  }
  return { step, steps };
}

function beginsStep(day: string, step: StepName): boolean {
  if (step === 'month') return day.endsWith('-01');
  return step === 'day' || new Date(day).getUTCDay() === 1;
}
