import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { moneyPeriodQuery } from './money.ts';
import { amount, count, instant, pence } from './request-parts.ts';

const days = z.object({ startDate: z.iso.date(), endDate: z.iso.date() });

/** Channels, buttons or campaigns beyond this many are added to the others. */
export const FUNNEL_ROWS = 6;
/** The days of the funnel, up to today, unless others are asked for. */
export const FUNNEL_DAYS = 90;
/** The most leads of these days that are read, the newest first. */
export const MAX_FUNNEL_LEADS = 10_000;

/** The number of people at each step, and the MRR of the payers. */
const funnel = {
  people: count,
  checkouts: count,
  trials: count,
  paying: count,
  monthlyPence: pence,
};
const funnelRow = z.object({
  name: z.string(),
  ...funnel,
  /** Null for a button, because it is pressed later. */
  visits: count.nullable(),
});

/** `GET /api/admin/overview`: the state of the business. */
export const overviewAnswer = z.object({
  /** The charges of the seven days after today, if every trial stays. */
  week: amount.extend({ ...days.shape, trials: count, renewals: count }),
  /** This month's trials that were cancelled, and the reasons that Stripe collected. */
  cancelledTrials: z.object({
    count,
    reasons: z.array(z.object({ reason: z.string(), count })),
  }),
  /** From visitor to payer: each person once, by their first lead of the days. */
  funnel: z.object({
    ...days.shape,
    ...funnel,
    /** Page loads that do not come from our own pages. */
    visits: count,
    inTrial: count,
    /** The time from which leads count, if there are more than `MAX_FUNNEL_LEADS`. */
    countedSince: instant.nullable(),
    /** The largest first, the others last. */
    channels: z.array(funnelRow),
    buttons: z.array(funnelRow),
    campaigns: z.array(funnelRow),
  }),
});
export type OverviewAnswer = z.infer<typeof overviewAnswer>;

export const overviewCalls = {
  'GET /api/admin/overview': {
    id: 'readOverview',
    isForViewer: true,
    summary: 'The next seven days, and how visitors became payers',
    description:
      'Amounts in pence, days in London. Without dates, the funnel is of the last ' +
      `${FUNNEL_DAYS} days.`,
    query: moneyPeriodQuery,
    answers: { 200: { schema: overviewAnswer } },
  },
} satisfies Record<CallName, Call>;
