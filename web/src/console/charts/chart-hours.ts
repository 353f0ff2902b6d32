import { londonDate } from '@site/schema/calendar';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { MAX_ATTEMPTS, MAX_HOUR_DAYS } from '@site/schema/calls/charts';
import { formatCount } from '../elements/format-count.ts';
import { addDays } from '../filters/date-presets.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { describeSpan } from './chart-labels.ts';

type Hour = ChartsAnswer['hours'][number];
type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;
export type HourDay = { day: string; hours: Hour[] };

/** Attempts of a few days do not stand alone. */
const MIN_DAYS = 14;
const HOUR_MS = 3_600_000;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' });

/** The hour of a London clock, 0 to 23. */
export const hourOf = (at: Date) => Number(clock.format(at));

/**
 * Returns the hours by London day, over the filter's dates up to today. Without a start they begin with the first
 * attempt, or `MIN_DAYS` ago. Days without attempts are filled in.
 */
export function byDay(hours: readonly Hour[], { startDate, endDate }: Dates, today: string): HourDay[] {
  const known = new Map<string, Hour[]>();
  for (const hour of hours) {
    const day = londonDate(new Date(hour.at));
    known.set(day, [...(known.get(day) ?? []), hour]);
  }
  const last = endDate !== undefined && endDate < today ? endDate : today;
  const first = startDate ?? [...known.keys(), addDays(last, 1 - MIN_DAYS)].toSorted()[0] ?? last;
  const days: HourDay[] = [];
  for (let day = last; days.length < MAX_HOUR_DAYS && day >= first; day = addDays(day, -1)) {
    days.unshift({ day, hours: known.get(day) ?? [] });
  }
  return days;
}

/** Returns every hour of London days up to now, those without attempts included. */
export function everyHour(days: readonly HourDay[], now: Date): Hour[] {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const known = new Map(days.flatMap(({ hours }) => hours.map((hour) => [Date.parse(hour.at), hour] as const)));
  const found: Hour[] = [];
  // London is at most an hour off, so that the first and the last hour are asked one by one.
  for (
    let at = Date.parse(first) - HOUR_MS;
    at <= Date.parse(last) + 24 * HOUR_MS && at <= now.getTime();
    at += HOUR_MS
  ) {
    const day = londonDate(new Date(at));
    if (day < first || day > last) continue;
    found.push(known.get(at) ?? { at: new Date(at).toISOString(), accepted: 0, permanent: 0, willRetry: 0 });
  }
  return found;
}

/** Sums hours up. */
export function sumUp(hours: readonly Hour[]): Omit<Hour, 'at'> {
  const sum = (name: 'accepted' | 'permanent' | 'willRetry') => hours.reduce((total, hour) => total + hour[name], 0);
  return { accepted: sum('accepted'), permanent: sum('permanent'), willRetry: sum('willRetry') };
}

/**
 * `the last 92 days, 22 Aug to 21 Nov, of all forms`: what the attempts and errors of a filter cover. They follow its
 * dates only.
 */
export function describeAttemptRange(
  days: readonly HourDay[],
  { startDate, endDate: _, sort: __, ...others }: ListFilter,
  isCapped: boolean,
): string {
  const isCut = days.length === MAX_HOUR_DAYS && days[0]?.day !== startDate;
  return [
    isCut && `last ${MAX_HOUR_DAYS} days`,
    describeSpan(days),
    isCapped && `the newest ${formatCount(MAX_ATTEMPTS)}`,
    Object.values(others).some((value) => value !== undefined) && 'all forms',
  ]
    .filter(Boolean)
    .join(', ');
}
