import type { OverviewAnswer } from '@site/schema/calls/overview';
import { formatCount } from '../elements/format-count.ts';

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const monthOnly = inUtc({ month: 'long' });
const dayAndMonth = inUtc({ day: 'numeric', month: 'long' });

/** `December`, of a calendar date. */
export const nameMonth = (day: string) => monthOnly.format(new Date(day));

/** `1 to 18 December`, `20 September to 18 December`. */
export function nameDays({ startDate, endDate }: { startDate: string; endDate: string }): string {
  const end = dayAndMonth.format(new Date(endDate));
  if (startDate === endDate) return end;
  const isOneMonth = startDate.slice(0, 7) === endDate.slice(0, 7);
  return `${isOneMonth ? Number(startDate.slice(8)) : dayAndMonth.format(new Date(startDate))} to ${end}`;
}

/** Rounds to whole pounds, as shown, so that sums of what is shown agree. */
export const toWholePounds = (pence: number) => 100 * Math.round(pence / 100);

/** `£8,664`: whole pounds. */
export const formatPounds = (pence: number) => {
  const pounds = toWholePounds(pence) / 100;
  return `${pounds < 0 ? '−' : ''}£${formatCount(Math.abs(pounds))}`;
};

/** `+£920`, `−3`, or undefined without a difference. */
export function formatChange(by: number, format: (amount: number) => string = formatCount): string | undefined {
  const size = format(Math.abs(by));
  return size === format(0) ? undefined : `${by > 0 ? '+' : '−'}${size}`;
}

/** `12 of 100 people`, or undefined of nobody. */
export function describeOf(part: number, whole: number, of: string): string {
  if (whole === 0) return `no ${of} yet`;
  const share = (100 * part) / whole;
  const told = share > 0 && share < 1 ? 'fewer than 1' : formatCount(Math.round(share));
  return `${told} of 100 ${of}`;
}

/** How many trials stay, as a fraction that can be said: `3 in 4 do`. Undefined of too few. */
export function describeStaying({ ended, becamePayers }: OverviewAnswer['trials']): string | undefined {
  const MIN_ENDED = 4;
  if (ended < MIN_ENDED) return undefined;
  if (becamePayers === 0 || becamePayers === ended) return becamePayers === 0 ? 'none did' : 'all did';
  const share = becamePayers / ended;
  const distance = (of: number) => Math.abs(Math.round(share * of) / of - share);
  const of = [3, 4, 5, 10].toSorted((one, other) => distance(one) - distance(other))[0] ?? 10;
  return `${Math.max(1, Math.round(share * of))} in ${of} do`;
}
