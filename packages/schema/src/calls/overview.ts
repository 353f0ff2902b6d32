import { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { amount, count, pence } from './request-parts.ts';

const day = z.iso.date();
const days = z.object({ startDate: day, endDate: day });

/** A channel or button beyond this many is added to the others. */
export const FUNNEL_ROWS = 6;
/**
 * The name of the others. No channel or button has it: theirs begin with a capital, or are our own.
 */
export const FUNNEL_OTHERS = 'other';
export const FUNNEL_DAYS = 90;
/** At most this many leads of these days are read, the newest first. */
export const MAX_FUNNEL_LEADS = 10_000;

/** The number of people at each step, and the MRR of the payers. */
const funnel = {
  people: count,
  checkouts: count,
  trials: count,
  paying: count,
  monthlyPence: pence,
};
const funnelRow = z.object({ name: z.string(), ...funnel });

/** `GET /api/admin/overview`: the state of the business. */
export const overviewAnswer = z.object({
  /** The charges of today and the six days after, if every trial stays. */
  week: amount.extend({ ...days.shape, trials: count, renewals: count }),
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
    summary: 'The next seven days, and how visitors became payers',
    description: 'Amounts in pence, days in London.',
    answers: { 200: { schema: overviewAnswer } },
  },
} satisfies Record<CallName, Call>;
