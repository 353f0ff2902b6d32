import { z } from 'zod';

const instant = z.iso.datetime();
const count = z.number().int();
const pence = z.number().int();

export const SUBSCRIPTION_STAGES = [
  'trial',
  'paying',
  'ending',
  'dunning',
  'suspended',
  'ended',
  'incomplete',
] as const;

/** `GET /api/admin/money`: how subscriptions are doing, and what a person should look at. Lists hold at most 100, the newest. */
export const moneyAnswer = z.object({
  stages: z.record(z.enum(SUBSCRIPTION_STAGES), count),
  /** Events of Stripe's that could not be applied. */
  parkedEvents: z.array(
    z.object({ id: z.string(), type: z.string(), fault: z.string().nullable(), receivedAt: instant }),
  ),
  /** Another address paid than the lead's, and nobody has looked at it yet. */
  payerMismatches: z.array(
    z.object({
      stripeSubscriptionId: z.string(),
      leadId: z.uuid(),
      leadEmail: z.string(),
      payerEmail: z.string(),
      foundAt: instant,
    }),
  ),
  /** Live subscriptions of addresses that had a live one before. */
  secondLive: z.array(z.object({ stripeSubscriptionId: z.string(), email: z.string(), since: instant })),
  openDisputes: z.array(
    z.object({
      id: z.string(),
      stripeSubscriptionId: z.string(),
      amountPence: pence,
      reason: z.string(),
      status: z.string(),
      evidenceDueAt: instant.nullable(),
    }),
  ),
  /** Checkouts that were given up by whoever completed none, with Stripe's link to go on. */
  abandoned: z.object({
    total: count,
    checkouts: z.array(
      z.object({
        id: z.string(),
        leadId: z.uuid().nullable(),
        email: z.string().nullable(),
        begunAt: instant,
        recoveryUrl: z.string().nullable(),
        recoveryEndsAt: instant.nullable(),
      }),
    ),
  }),
  /** Readers whose tier the newsletter has not confirmed yet. */
  tiersWaiting: count,
  /** By the button and the campaign that brought the lead; over all time. */
  revenue: z.array(
    z.object({
      source: z.string().nullable(),
      campaign: z.string().nullable(),
      subscriptions: count,
      live: count,
      paidPence: pence,
      returnedPence: pence,
    }),
  ),
});
export type MoneyAnswer = z.infer<typeof moneyAnswer>;
