import { withShortMonth } from './london-time.ts';

const dayAndMonth = withShortMonth('UTC', { day: 'numeric' });

/** `20 Nov`: a calendar date. */
export const formatDay = (day: string) => dayAndMonth.format(new Date(day));

/** `20 Nov to 3 Dec`. */
export function describeSpan(days: readonly { day: string }[]): string {
  const [first, last] = [days[0]?.day, days.at(-1)?.day].map((day) => day && formatDay(day));
  return first === last ? (first ?? '') : `${first} to ${last}`;
}

/** The name of a day's column, and the label below it: the month too, where one begins. */
export const labelDay = (day: string) => ({
  name: formatDay(day),
  tick: day.endsWith('-01') ? formatDay(day) : String(Number(day.slice(8))),
});
