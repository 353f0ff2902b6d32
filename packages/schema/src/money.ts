import { endOfLondonDay } from './calendar.ts';
import { z } from 'zod';
import { emailField } from './lead.ts';
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

/**
 * What the list of leads says of a lead's subscription: its stage, or that it has an open dispute, or that its address has
 * access without one.
 */
export const LEAD_STAGES = [...SUBSCRIPTION_STAGES, 'disputed', 'complimentary'] as const;
export type LeadStage = (typeof LEAD_STAGES)[number];

/** What the list of leads can be narrowed to: a stage, any subscription, or one that was ever paid for. */
export const STAGE_FILTERS = [...SUBSCRIPTION_STAGES, 'any', 'paid'] as const;
export type StageFilter = (typeof STAGE_FILTERS)[number];

/** `GET /api/admin/money`: the state of subscriptions, and what needs attention. Lists hold the newest 100. */
export const moneyAnswer = z.object({
  stages: z.record(z.enum(SUBSCRIPTION_STAGES), count),
  /** Stripe events that could not be applied and have not been reviewed. */
  parkedEvents: z.array(
    z.object({ id: z.string(), type: z.string(), fault: z.string().nullable(), receivedAt: instant }),
  ),
  /** Payments from an address other than the lead's, not reviewed yet. */
  payerMismatches: z.array(
    z.object({
      stripeSubscriptionId: z.string(),
      leadId: z.uuid(),
      leadEmail: z.string(),
      payerEmail: z.string(),
      foundAt: instant,
    }),
  ),
  /** Second live subscriptions of one address, not reviewed yet. */
  secondLive: z.array(
    z.object({ stripeSubscriptionId: z.string(), email: z.string(), leadId: z.uuid().nullable(), since: instant }),
  ),
  /** Refunds that failed and were not reviewed: the customer does not have the money. */
  failedRefunds: z.array(
    z.object({
      id: z.string(),
      stripeSubscriptionId: z.string(),
      email: z.string().nullable(),
      leadId: z.uuid().nullable(),
      amountPence: pence,
      reason: z.string().nullable(),
      refundedAt: instant,
    }),
  ),
  /** When the last event of Stripe was stored, and how many had to be fetched since one was delivered. */
  events: z.object({ lastAt: instant.nullable(), undelivered: count }),
  openDisputes: z.array(
    z.object({
      id: z.string(),
      stripeSubscriptionId: z.string(),
      /** Null for someone who was erased. */
      email: z.string().nullable(),
      leadId: z.uuid().nullable(),
      amountPence: pence,
      /** What was refunded of the payment. */
      refundedPence: pence,
      reason: z.string(),
      status: z.string(),
      openedAt: instant,
      evidenceDueAt: instant.nullable(),
    }),
  ),
  /** Abandoned checkouts, with Stripe's recovery link. */
  abandoned: z.object({
    total: count,
    /** True if there are more than were counted. */
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
  /** Subscribers whose tier Beehiiv has not confirmed yet. */
  tiersWaiting: count,
  /** Stripe's dashboard, where every id of this answer can be opened. */
  dashboardUrl: z.url(),
});
export type MoneyAnswer = z.infer<typeof moneyAnswer>;

/** What can be marked as reviewed, `POST /api/admin/money/{kind}/{id}/review`: the kinds that nothing else settles. */
export const REVIEWABLES = ['mismatches', 'second-subscriptions', 'parked', 'refunds'] as const;
export type Reviewable = (typeof REVIEWABLES)[number];

/** `GET /api/admin/money/attention`: how many things need attention. */
export const moneyAttentionAnswer = z.object({ count });
export type MoneyAttentionAnswer = z.infer<typeof moneyAttentionAnswer>;

/** Leads with an abandoned checkout are counted up to this many. */
export const MOST_ABANDONED = 1_000;

/** `GET /api/admin/money/abandoned-checkouts`: how many of the filter's leads abandoned their checkout. The filter's status is ignored. */
export const abandonedCheckoutsAnswer = z.object({
  /** `MOST_ABANDONED` plus one means that there are more. */
  count,
});
export type AbandonedCheckoutsAnswer = z.infer<typeof abandonedCheckoutsAnswer>;

/** `GET /api/admin/money/parked/{id}`: exactly what Stripe sent. */
export const parkedEventAnswer = z.object({ id: z.string(), type: z.string(), rawBody: z.string() });
export type ParkedEventAnswer = z.infer<typeof parkedEventAnswer>;

/** How a lead's visit to Stripe's page ended. */
export const leadCheckout = z.object({
  id: z.string(),
  state: z.enum(['complete', 'abandoned', 'payment-failed']),
  /** True if it was abandoned and the lead completed no other checkout. */
  isAbandoned: z.boolean(),
  startedAt: instant,
  recoveryUrl: z.string().nullable(),
  recoveryEndsAt: instant.nullable(),
  /** The checkout in Stripe's dashboard. */
  dashboardUrl: z.url(),
});
export type LeadCheckout = z.infer<typeof leadCheckout>;

/** `POST /api/admin/subscriptions/{id}/delivery-address`. */
export const deliveryAddressBody = z.object({
  email: emailField,
  /** The payer's address was mistyped: it is corrected here and at Stripe, and unsubscribed at Beehiiv. */
  correctsPayer: z.boolean().default(false),
});
export type DeliveryAddressBody = z.infer<typeof deliveryAddressBody>;
export const deliveryAddressAnswer = z.object({
  stripeSubscriptionId: z.string(),
  payerEmail: z.string(),
  deliveryEmail: z.string(),
  /** What was done at Stripe. */
  stripe: z.enum(['customer-email-changed', 'unchanged']),
  /** What Beehiiv is still asked to do: the delivery address's tier, and the mistyped address. */
  beehiiv: z.object({
    tier: z.enum(['premium', 'free']),
    isTierConfirmed: z.boolean(),
    isUnsubscribing: z.boolean(),
  }),
});
export type DeliveryAddressAnswer = z.infer<typeof deliveryAddressAnswer>;

/** `GET /api/admin/subscriptions/{id}/refund`: what can be refunded. Amounts in pence. */
export const refundPreview = z.object({
  /** The latest paid invoice. */
  invoice: z.string(),
  paidPence: pence,
  paidAt: instant.nullable(),
  refundedPence: pence,
  /** What is left to refund. */
  left: pence,
  /** A dispute because of which Stripe refuses to refund it: not decided yet, or lost. */
  dispute: z.enum(['open', 'lost']).nullable(),
});
export type RefundPreview = z.infer<typeof refundPreview>;

/** `POST /api/admin/subscriptions/{id}/refund`. All that is left if there is no amount. */
export const refundBody = z.object({ amountPence: z.number().int().min(1).optional() });
export const refundAnswer = z.object({ id: z.string(), status: z.string(), amountPence: pence, invoice: z.string() });
export type RefundAnswer = z.infer<typeof refundAnswer>;

/** `POST /api/admin/people/complimentary`: the paid issue without payment. A day lasts to its end, in London. */
export const complimentaryBody = z.object({
  email: emailField,
  until: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Must be a date or a time' })
    .transform((until) => (until.length === 10 ? endOfLondonDay(until) : new Date(until))),
});
export type ComplimentaryBody = z.infer<typeof complimentaryBody>;
export const complimentaryAnswer = z.object({ email: z.string(), until: instant });
/** `GET /api/admin/people/complimentary`: who has or had complimentary access, the latest end first. At most 100. */
export const complimentaryList = z.object({
  access: z.array(
    z.object({
      email: z.string(),
      leadId: z.uuid().nullable(),
      until: instant,
      isOver: z.boolean(),
      grantedBy: z.string(),
      grantedAt: instant,
    }),
  ),
});
export type ComplimentaryList = z.infer<typeof complimentaryList>;
export type ComplimentaryAnswer = z.infer<typeof complimentaryAnswer>;

/** `POST /api/admin/subscriptions/{id}/cancel`. */
export const cancelBody = z.object({ when: z.enum(['now', 'period-end']) });
export type CancelBody = z.infer<typeof cancelBody>;
export const cancelAnswer = z.object({
  stripeSubscriptionId: z.string(),
  stage: z.enum(SUBSCRIPTION_STAGES),
  status: z.string(),
  cancelAt: instant.nullable(),
  endedAt: instant.nullable(),
});
export type CancelAnswer = z.infer<typeof cancelAnswer>;

/** What a lead subscribed to. Amounts in pence. */
export const leadSubscription = z.object({
  stripeSubscriptionId: z.string(),
  stripeCustomerId: z.string(),
  /** The payer's address. */
  email: z.string(),
  /** Who gets the paid issue. */
  deliveryEmail: z.string(),
  stage: z.enum(SUBSCRIPTION_STAGES),
  plan: z.enum(BILLING_INTERVALS),
  coupon: z.string().nullable(),
  amountPence: pence,
  /** What was refunded of all its payments. */
  refundedPence: pence,
  /** True if nothing is left to refund of the latest payment. */
  isLatestRefunded: z.boolean(),
  /** The newest dispute of its payments that is not decided. */
  openDispute: z
    .object({ amountPence: pence, status: z.string(), evidenceDueAt: instant.nullable(), dashboardUrl: z.url() })
    .nullable(),
  trialEndsAt: instant.nullable(),
  periodEndsAt: instant.nullable(),
  cancelAt: instant.nullable(),
  endedAt: instant.nullable(),
  paymentAttempts: count,
  nextPaymentAttemptAt: instant.nullable(),
  isCollectionPaused: z.boolean(),
  /** What could not be read from Stripe. Its fields here have older values. */
  unreadParts: z.array(z.string()),
  /** The subscription and its customer in Stripe's dashboard. */
  dashboardUrl: z.url(),
  customerUrl: z.url(),
});
export type LeadSubscription = z.infer<typeof leadSubscription>;
