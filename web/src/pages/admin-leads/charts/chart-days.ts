import type { ChartsAnswer } from '@site/schema/console';

type Day = ChartsAnswer['days'][number];

const DAY_MS = 86_400_000;
/** So many fit beside each other. */
const MOST_DAYS = 31;

/**
 * The days of a chart without a gap, the last 31 at most: the answer leaves out days without a lead, and bars
 * beside each other would hide that there was one.
 */
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
