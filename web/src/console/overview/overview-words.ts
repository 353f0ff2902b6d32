import { formatCount } from '../shared/format-count.ts';

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
export function formatChange(
  by: number,
  format: (amount: number) => string = formatCount,
): string | undefined {
  const size = format(Math.abs(by));
  return size === format(0) ? undefined : `${by > 0 ? '+' : '−'}${size}`;
}

const FEW = 20;

/** `12 of 100 people`: every share of people is said like this, but of a few, who are counted. */
export function describeOf(part: number, whole: number, of: string): string {
  if (whole === 0) return `no ${of} yet`;
  if (whole < FEW) return `${formatCount(part)} of ${formatCount(whole)}`;
  const share = (100 * part) / whole;
  const told = share > 0 && share < 1 ? 'fewer than 1' : formatCount(Math.round(share));
  return `${told} of 100 ${of}`;
}
