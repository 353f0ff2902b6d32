const inLondon = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options });

const clockTime = inLondon({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const clockWithSeconds = inLondon({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const dayAndMonth = withShortMonth('Europe/London', { day: 'numeric' });
const dayMonthYear = withShortMonth('Europe/London', { day: 'numeric', year: 'numeric' });
const longDate = inLondon({ day: 'numeric', month: 'long', year: 'numeric' });
const year = inLondon({ year: 'numeric' });
const zone = inLondon({ timeZoneName: 'short' });

/** Formats dates with a month of three letters: the locale's September has four. */
export function withShortMonth(timeZone: string, options: Intl.DateTimeFormatOptions) {
  const dates = new Intl.DateTimeFormat('en-GB', { timeZone, month: 'short', ...options });
  return { format: (at: Date) => dates.format(at).replace('Sept', 'Sep') };
}

/** `09:31` on a London clock. */
export function formatTime(at: Date): string {
  return clockTime.format(at);
}

/** `09:31:07` on a London clock. */
export function formatClock(at: Date): string {
  return clockWithSeconds.format(at);
}

/** `3 Dec`, or `3 Dec 2024` in another year. */
export function formatDay(at: Date, now: Date): string {
  return (year.format(at) === year.format(now) ? dayAndMonth : dayMonthYear).format(at);
}

/** `3 December 2024`. */
export function formatLongDate(at: Date): string {
  return longDate.format(at);
}

/** `3 Dec, 09:31`, or `3 Dec 2024, 09:31` in another year. */
export function formatMoment(at: Date, now: Date): string {
  return `${formatDay(at, now)}, ${formatTime(at)}`;
}

/** `3 Dec 2024`. */
export function formatDate(at: Date): string {
  return dayMonthYear.format(at);
}

/** `3 Dec 2024, 09:31`. */
export function formatDated(at: Date): string {
  return `${dayMonthYear.format(at)}, ${formatTime(at)}`;
}

/** `3 Dec 2024, 09:31:07 GMT`, for a tooltip. */
export function formatFully(at: Date): string {
  return `${dayMonthYear.format(at)}, ${formatClock(at)} ${zoneName(at)}`;
}

/** `GMT` or `BST`, whichever applies in London at that instant. */
export function zoneName(at: Date): string {
  return zone.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? 'UK time';
}

export function isSameDay(a: Date, b: Date): boolean {
  return dayMonthYear.format(a) === dayMonthYear.format(b);
}

/** `09:31` today, and otherwise with the day. */
export function describeMoment(instant: string | Date, now: Date): string {
  const at = new Date(instant);
  return isSameDay(at, now) ? formatTime(at) : formatMoment(at, now);
}

/** `12 s`, `2 min 14 s`, `3 h 5 min`, `2 d 4 h`: at most two units, never negative. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joinUnits(minutes, 'min', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joinUnits(hours, 'h', minutes % 60, 'min');
  return joinUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

const UNITS = [
  [86_400_000, 2 * 86_400_000, 'day'],
  [3_600_000, 3_600_000, 'hour'],
  [60_000, 60_000, 'minute'],
  [1_000, 0, 'second'],
] as const;

/** `40 seconds`, `1 minute`, `47 hours`, `2 days`: the largest unit alone, for a sentence. */
export function describeDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  const [unitMs, , name] = UNITS.find(([, fromMs]) => ms >= fromMs) ?? UNITS[3];
  const count = Math.floor(ms / unitMs);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
