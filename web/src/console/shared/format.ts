import { formatMoney } from '@site/schema/money';

const inLondon = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options });

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const clock = inLondon(CLOCK);
const zonedClock = inLondon({ ...CLOCK, second: '2-digit', timeZoneName: 'short' });
const dayAndMonth = inLondon({ day: 'numeric', month: 'short' });
const dayMonthYear = inLondon({ day: 'numeric', month: 'short', year: 'numeric' });

/** The locale's September has four letters, and every other month three. */
const withThreeLetters = (date: string) => date.replace('Sept', 'Sep');

/** Returns `09:31` on a London clock. */
export const formatTime = (at: Date) => clock.format(at);

/** Returns `3 Dec 2024`. */
export const formatDate = (at: Date) => withThreeLetters(dayMonthYear.format(at));

/** Returns `3 Dec`, or `3 Dec 2024` in another year. */
export function formatDay(at: Date, now: Date): string {
  const [date, today] = [formatDate(at), formatDate(now)];
  return date.slice(-4) === today.slice(-4) ? date.slice(0, -5) : date;
}

/** Returns `3 Dec, 09:31`, or `3 Dec 2024, 09:31` in another year. */
export const formatMoment = (at: Date, now: Date) => `${formatDay(at, now)}, ${formatTime(at)}`;

/** Returns `3 Dec 2024, 09:31`. */
export const formatDateTime = (at: Date) => `${formatDate(at)}, ${formatTime(at)}`;

/** Returns `3 Dec 2024, 09:31:07 GMT`, for a tooltip. */
export const formatFully = (at: Date) => `${formatDate(at)}, ${zonedClock.format(at)}`;

export const isSameDay = (a: Date, b: Date) => formatDate(a) === formatDate(b);

/** Returns `09:31` today, and otherwise the day too. */
export function toMomentText(instant: string | Date, now: Date): string {
  const at = new Date(instant);
  return isSameDay(at, now) ? formatTime(at) : formatMoment(at, now);
}

/** Returns `20 Nov` for a calendar date. */
export const formatCalendarDay = (day: string) =>
  withThreeLetters(dayAndMonth.format(new Date(day)));

/** Returns `20 Nov to 3 Dec`. */
export function toSpanText(days: readonly { day: string }[]): string {
  const [first = '', last = ''] = [days[0], days.at(-1)].map(
    (each) => each && formatCalendarDay(each.day),
  );
  return first === last ? first : `${first} to ${last}`;
}

/** Returns the label below a day's column, with the month if it begins there. */
export const labelDay = (day: string) =>
  day.endsWith('-01') ? formatCalendarDay(day) : String(Number(day.slice(8)));

/** Each unit in ms, and the shortest duration that uses it. */
const UNITS = [
  [86_400_000, 2 * 86_400_000, 'day'],
  [3_600_000, 3_600_000, 'hour'],
  [60_000, 60_000, 'minute'],
  [1_000, 0, 'second'],
] as const;

/** Returns `40 seconds`, `1 minute`, `47 hours` or `2 days`. Never negative. */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  const [unitMs, , name] = UNITS.find(([, fromMs]) => ms >= fromMs) ?? UNITS[3];
  return countOf(Math.floor(ms / unitMs), name);
}

/** Returns `12,345`, or `10,000+` for a capped count. */
export const formatCount = (count: number, isCapped = false) =>
  `${count.toLocaleString('en-GB')}${isCapped ? '+' : ''}`;

/** Returns `3 charges` or `1 charge`. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export const capitalize = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Formats `a, b and c`. */
export const IN_SENTENCE = new Intl.ListFormat('en-GB');

/** The tables that an owner asks about, in this order. Rows of other tables are records. */
const NAMES: Record<string, [one: string, many?: string]> = {
  leads: ['lead'],
  subscriptions: ['subscription'],
  stripe_invoices: ['invoice'],
  notes: ['note'],
  sample_requests: ['sample request'],
  stripe_refunds: ['refund'],
  stripe_disputes: ['dispute'],
  free_access: ['grant of free access', 'grants of free access'],
};

/** Returns `1 lead and 3 other records`: rows by table, in words. Empty without rows. */
export function countRows(rowsOf: Record<string, unknown>): string {
  const rowsIn = (table: string) => Number(rowsOf[table] ?? 0);
  const named = Object.keys(NAMES).filter((table) => rowsIn(table) > 0);
  const others = Object.keys(rowsOf).filter((table) => !Object.hasOwn(NAMES, table));
  const records = others.reduce((sum, table) => sum + rowsIn(table), 0);
  return IN_SENTENCE.format([
    ...named.map((table) => countOf(rowsIn(table), ...(NAMES[table] ?? [table]))),
    ...(records > 0 ? [countOf(records, named.length > 0 ? 'other record' : 'record')] : []),
  ]);
}

/** Returns `£717.00, €100.00`, without amounts of nothing. */
export const formatAmounts = (amounts: readonly { pence: number; currency: string }[]) =>
  amounts
    .filter(({ pence }) => pence !== 0)
    .map(({ pence, currency }) => formatMoney(pence, currency).replace('-', '−'))
    .join(', ');
