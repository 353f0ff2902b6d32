import { z } from 'zod';
import { BILLING_INTERVALS } from './offer.ts';

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
export type SubscriptionStage = (typeof SUBSCRIPTION_STAGES)[number];

/** `GET /api/admin/money`: how subscriptions are doing, and what a person should look at. Lists hold at most 100, the newest. */
export const moneyAnswer = z.object({
  stages: z.record(z.enum(SUBSCRIPTION_STAGES), count),
  /** Events of Stripe's that could not be applied, and that nobody has looked at yet. */
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
  /** Live subscriptions of addresses that had a live one before, and that nobody has looked at yet. */
  secondLive: z.array(
    z.object({ stripeSubscriptionId: z.string(), email: z.string(), leadId: z.uuid().nullable(), since: instant }),
  ),
  openDisputes: z.array(
    z.object({
      id: z.string(),
      stripeSubscriptionId: z.string(),
      /** Null of somebody who was erased. */
      email: z.string().nullable(),
      leadId: z.uuid().nullable(),
      amountPence: pence,
      reason: z.string(),
      status: z.string(),
      openedAt: instant,
      evidenceDueAt: instant.nullable(),
    }),
  ),
  /** Checkouts that were given up by whoever completed none, with Stripe's link to go on. */
  abandoned: z.object({
    total: count,
    /** There are more than are counted. */
    isCapped: z.boolean(),
    checkouts: z.array(
      z.object({
        id: z.string(),
        leadId: z.uuid().nullable(),
        email: z.string().nullable(),
        startedAt: instant,
        recoveryUrl: z.string().nullable(),
        recoveryEndsAt: instant.nullable(),
      }),
    ),
  }),
  /** Subscribers whose tier the newsletter has not confirmed yet. */
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

/** What can be marked as looked at, `POST /api/admin/money/{kind}/{id}/review`: the kinds that nothing else settles. */
export const REVIEWABLES = ['mismatches', 'second-subscriptions', 'parked'] as const;
export type Reviewable = (typeof REVIEWABLES)[number];

/** `GET /api/admin/money/attention`: how many things there are that a person should look at. */
export const moneyAttentionAnswer = z.object({ count });
export type MoneyAttentionAnswer = z.infer<typeof moneyAttentionAnswer>;

/** Leads that gave their checkout up are counted no further than this. */
export const MOST_ABANDONED = 1_000;

/** `GET /api/admin/money/abandoned-checkouts`: how many leads of the list's filter gave their checkout up, whatever status it asks for. */
export const abandonedCheckoutsAnswer = z.object({
  /** One more than `MOST_ABANDONED` says that there are more. */
  count,
});
export type AbandonedCheckoutsAnswer = z.infer<typeof abandonedCheckoutsAnswer>;

/** `GET /api/admin/money/parked/{id}`: what Stripe sent, to the letter. */
export const parkedEventAnswer = z.object({ id: z.string(), type: z.string(), rawBody: z.string() });
export type ParkedEventAnswer = z.infer<typeof parkedEventAnswer>;

/** How a lead's visit to Stripe's page ended. */
export const leadCheckout = z.object({
  id: z.string(),
  state: z.enum(['complete', 'abandoned', 'payment-failed']),
  /** Abandoned by whoever completed no other. */
  isAbandoned: z.boolean(),
  startedAt: instant,
  recoveryUrl: z.string().nullable(),
  recoveryEndsAt: instant.nullable(),
});
export type LeadCheckout = z.infer<typeof leadCheckout>;

/** What a lead subscribed to. Amounts in pence. */
export const leadSubscription = z.object({
  stripeSubscriptionId: z.string(),
  stripeCustomerId: z.string(),
  email: z.string(),
  stage: z.enum(SUBSCRIPTION_STAGES),
  plan: z.enum(BILLING_INTERVALS),
  coupon: z.string().nullable(),
  amountPence: pence,
  trialEndsAt: instant.nullable(),
  periodEndsAt: instant.nullable(),
  cancelAt: instant.nullable(),
  endedAt: instant.nullable(),
  paymentAttempts: count,
  nextPaymentAttemptAt: instant.nullable(),
  isCollectionPaused: z.boolean(),
});
export type LeadSubscription = z.infer<typeof leadSubscription>;
