import type { ChartsAnswer } from '@site/schema/console';

type Day = ChartsAnswer['days'][number];

const DAY_MS = 86_400_000;
/** As many columns as fit. */
const MOST_DAYS = 31;

/** Fills in the days without leads, which the answer leaves out, and returns the last 31 days at most. */
export function everyDay(days: readonly Day[]): Day[] {
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last) return [];
  const known = new Map(days.map((day) => [day.day, day]));
  const end = Date.parse(last.day);
  const span = Math.min(MOST_DAYS, (end - Date.parse(first.day)) / DAY_MS + 1);
  return Array.from({ length: span }, (_, index) => {
    const day = new Date(end - (span - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, preSample: 0, preBuy: 0 };
  });
}
