import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { count, pence } from './request-parts.ts';

const day = z.iso.date();
const days = z.object({ startDate: day, endDate: day });

/** A channel or button beyond this many is added to the others. */
export const FUNNEL_ROWS = 6;
/** What the others are called. No channel or button has this name: theirs begin with a capital, or are our own. */
export const FUNNEL_OTHERS = 'other';
export const FUNNEL_DAYS = 90;
/** Failed leads are counted up to this many, the newest first. */
export const MAX_FAILED_COUNTED = 1_000;
/** At most this many leads of these days are read, the newest first. */
export const MAX_FUNNEL_LEADS = 10_000;

/** How many people reached each step, and the MRR of those who pay. */
const funnel = {
  people: count,
  checkouts: count,
  trials: count,
  paying: count,
  monthlyPence: pence,
};
const funnelRow = z.object({ name: z.string(), ...funnel });

/** What happened in the days, in pounds. A payer is an address. */
const flows = z.object({
  ...days.shape,
  paidPence: pence,
  /** What of it has a dispute that is not decided: Stripe holds it. */
  heldPence: pence,
  refundedPence: pence,
  lostPence: pence,
  newPayers: count,
  cancelled: count,
});

/** `GET /api/admin/overview`: how the business is doing. */
export const overviewAnswer = z.object({
  month: flows,
  monthBefore: flows,
  /** Why this month's payers cancelled, in Stripe's words. Null: they gave no reason. */
  reasons: z.array(z.object({ reason: z.string().nullable(), count })),
  mrr: z.object({ pence, count }),
  /** Active subscribers now, and who left this month. */
  list: z.object({ onList: count, left: count }),
  /** How MRR and list were at the end of the last month, if that is known. */
  atMonthStart: z.object({ mrrPence: pence.nullable(), onList: count.nullable() }),
  /** Today and the six days after, each with what is charged if every trial stays. */
  week: z.array(z.object({ day, trials: count, renewals: count, pence })),
  /** The trials that ended in the funnel's days, and those of them that have paid since. */
  trials: z.object({ ended: count, becamePayers: count }),
  /** From visitor to payer: each person once, by their first lead of the days. */
  funnel: z.object({
    ...days.shape,
    ...funnel,
    inTrial: count,
    /** More than `MAX_FUNNEL_LEADS` leads: the oldest are left out. */
    isCapped: z.boolean(),
    /** The largest first, the others last. */
    channels: z.array(funnelRow),
    buttons: z.array(funnelRow),
  }),
});
export type OverviewAnswer = z.infer<typeof overviewAnswer>;

export const overviewCalls = {
  'GET /api/admin/overview': {
    id: 'readOverview',
    summary: 'This month against the last, the next seven days, and how visitors became payers',
    description: 'Amounts in pence, days in London.',
    answers: { 200: { description: 'The figures', schema: overviewAnswer } },
  },
} satisfies Record<CallName, Call>;
