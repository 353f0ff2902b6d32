import { dayAfter, dayBefore, londonDate } from '@site/schema/calendar';
import { FUNNEL_DAYS } from '@site/schema/calls/overview';

export type Days = { startDate: string; endDate: string };

/** The days that the overview is about, in London: of this month so far, of the last up to the same day, and around. */
export function daysOf(now: Date): {
  month: Days;
  before: Days;
  lastMonthEnd: string;
  week: Days;
  funnel: Days;
} {
  const today = londonDate(now);
  const startDate = `${today.slice(0, 7)}-01`;
  const lastMonthEnd = dayBefore(startDate);
  const sameDay = `${lastMonthEnd.slice(0, 8)}${today.slice(8)}`;
  return {
    month: { startDate, endDate: today },
    // The last month may be shorter.
    before: {
      startDate: `${lastMonthEnd.slice(0, 8)}01`,
      endDate: sameDay < lastMonthEnd ? sameDay : lastMonthEnd,
    },
    lastMonthEnd,
    week: { startDate: today, endDate: dayAfter(today, 6) },
    funnel: { startDate: dayAfter(today, 1 - FUNNEL_DAYS), endDate: today },
  };
}
