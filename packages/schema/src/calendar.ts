import { OFFER } from './offer.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const ISSUE_HOUR_UTC = 9;

/** The time an issue is sent: 09:00 UTC on its day, all year ("9AM GMT"). */
function issueInstant(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + ISSUE_HOUR_UTC * 3_600_000;
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

/** Returns an instant's London calendar date, `YYYY-MM-DD`. */
export function londonDate(at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(at);
}

/** Returns the calendar date, `YYYY-MM-DD`, some days after another. */
export function dayAfter(day: string, days: number): string {
  return addDays(new Date(day), days).toISOString().slice(0, 10);
}

export const dayBefore = (day: string) => dayAfter(day, -1);

/** Returns the last instant of a London day, `YYYY-MM-DD`. */
export function endOfLondonDay(day: string): Date {
  const end = new Date(`${day}T23:59:59.999Z`);
  // In summer that is an hour into the next day there.
  return londonDate(end) === day ? end : new Date(end.getTime() - 3_600_000);
}

/** `Tuesday 9 December 2025`, in London. `short` omits the year. */
export function formatLongDate(at: Date, short = false): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/London',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((p) => p.type === type)?.value ?? '';
  const day = `${part('weekday')} ${part('day')} ${part('month')}`;
  return short ? day : `${day} ${part('year')}`;
}

/** `1 January 2026`, of a calendar date `YYYY-MM-DD`. */
export function formatCalendarDate(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** `9AM GMT`. In summer it adds British time: `9AM GMT (10AM UK time)`. */
export function formatIssueTime(at: Date): string {
  const hour = Number(
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', hour: 'numeric', hourCycle: 'h23' }).format(at),
  );
  return hour === ISSUE_HOUR_UTC ? '9AM GMT' : `9AM GMT (${hour}AM UK time)`;
}
