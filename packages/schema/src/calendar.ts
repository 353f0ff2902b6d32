import { OFFER } from './offer.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
const ISSUE_HOUR_UTC = 9;

/** Returns the time an issue is sent: 09:00 UTC on its day, all year ("9AM GMT"). */
function issueInstant(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + ISSUE_HOUR_UTC * HOUR_MS;
}

/** Returns the next issue after `now`: its number and its time (Tuesday 09:00 UTC). */
export function nextIssue(now: Date): { number: number; at: Date } {
  const first = issueInstant(OFFER.sampleIssue.publishedOn);
  const weeks = Math.floor((now.getTime() - first) / WEEK_MS) + 1;
  return { number: OFFER.sampleIssue.number + weeks, at: new Date(first + weeks * WEEK_MS) };
}

export function sampleIssueAt(): Date {
  return new Date(issueInstant(OFFER.sampleIssue.publishedOn));
}

export function addDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * DAY_MS);
}

/**
 * Returns London's wall clock as if it were UTC. British Summer Time lasts from 01:00 UTC on the
 * last Sunday of March to 01:00 UTC on the last Sunday of October. Avoids `Intl`, whose first use
 * blocks a phone while the page starts.
 */
function londonClock(at: Date): Date {
  const lastSunday = (month: number) => {
    const end = new Date(Date.UTC(at.getUTCFullYear(), month, 31, 1));
    return addDays(end, -end.getUTCDay());
  };
  const isSummer = at >= lastSunday(2) && at < lastSunday(9);
  return isSummer ? new Date(at.getTime() + HOUR_MS) : at;
}

/** Returns an instant's London calendar date, `YYYY-MM-DD`. */
export function londonDate(at: Date): string {
  return londonClock(at).toISOString().slice(0, 10);
}

/** Returns the calendar date, `YYYY-MM-DD`, some days after another. */
export function dayAfter(day: string, days: number): string {
  return addDays(new Date(day), days).toISOString().slice(0, 10);
}

export const dayBefore = (day: string) => dayAfter(day, -1);

/** Returns the last instant of a London day, `YYYY-MM-DD`. */
export function endOfLondonDay(day: string): Date {
  const end = new Date(`${day}T23:59:59.999Z`);
  // In summer that instant is an hour into London's next day.
  return londonDate(end) === day ? end : new Date(end.getTime() - HOUR_MS);
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Formats a London date: `Tuesday 9 December 2025`. `short` omits the year. */
export function formatLongDate(at: Date, short = false): string {
  const clock = londonClock(at);
  const day = `${WEEKDAYS[clock.getUTCDay()]} ${clock.getUTCDate()} ${MONTHS[clock.getUTCMonth()]}`;
  return short ? day : `${day} ${clock.getUTCFullYear()}`;
}

/** Formats a London time: `16:58`. */
export function formatLondonTime(at: Date): string {
  return londonClock(at).toISOString().slice(11, 16);
}

/** Formats a calendar date `YYYY-MM-DD`: `1 January 2026`. */
export function formatCalendarDate(day: string): string {
  return formatLongDate(new Date(day)).replace(/^\w+ /, '');
}

/** Formats an issue's time: `9AM GMT`. In summer it adds British time: `9AM GMT (10AM UK time)`. */
export function formatIssueTime(at: Date): string {
  const hour = londonClock(at).getUTCHours();
  return hour === ISSUE_HOUR_UTC ? '9AM GMT' : `9AM GMT (${hour}AM UK time)`;
}
