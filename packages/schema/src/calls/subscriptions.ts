import { z } from 'zod';
import { emailField } from '../email-field.ts';
import { CHECKOUT_HINDRANCES, SUBSCRIPTION_STAGES, UNSETTLED_REASONS } from '../money.ts';
import type { CheckoutHindrance, UnsettledReason } from '../money.ts';
import { BILLING_INTERVALS } from '../offer.ts';
import type { Call, CallName } from './call.ts';
import {
  absentWhenEmpty,
  count,
  currency,
  idempotencyHeader,
  instant,
  noteText,
  pence,
} from './request-parts.ts';

/** Why Stripe did not open a checkout. Null for an opened one. */
export const checkoutHindrance = z
  .enum(Object.keys(CHECKOUT_HINDRANCES) as CheckoutHindrance[])
  .nullable();

export const leadCheckout = z.object({
  /** True if it was abandoned or not opened, and the lead completed no other checkout. */
  isAbandoned: z.boolean(),
  hindrance: checkoutHindrance,
  startedAt: instant,
  recoveryUrl: z.string().nullable(),
  recoveryEndsAt: instant.nullable(),
});
export type LeadCheckout = z.infer<typeof leadCheckout>;

export const INVOICES_SHOWN = 24;

/** An invoice. `GET /api/admin/invoices/{id}/page` opens it at Stripe. */
export const subscriptionInvoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  status: z.string(),
  totalPence: pence,
  paidPence: pence,
  refundedPence: pence,
  currency,
  issuedAt: instant,
  paidAt: instant.nullable(),
  /** The newest dispute that makes Stripe refuse a refund of the invoice. */
  dispute: z.object({ status: z.string(), evidenceDueAt: instant.nullable() }).nullable(),
});
export type SubscriptionInvoice = z.infer<typeof subscriptionInvoice>;

const unsettledCause = z.object({
  reason: z.enum(Object.keys(UNSETTLED_REASONS) as UnsettledReason[]),
  amountPence: pence,
  currency,
});

/** A lead's subscription. Amounts in pence. */
export const leadSubscription = z.object({
  stripeSubscriptionId: z.string(),
  email: z.string(),
  /** Readers whose free access lasts with the subscription. */
  readers: z.array(z.string()),
  stage: z.enum(SUBSCRIPTION_STAGES),
  plan: z.enum(BILLING_INTERVALS),
  coupon: z.string().nullable(),
  amountPence: pence,
  /**
   * The currency of all amounts but `amountPence`, which is in pounds, and 0 if `unreadParts` has
   * `price`.
   */
  currency,
  /** The invoices, including invoices over nothing, newest first, at most `INVOICES_SHOWN`. */
  invoices: z.array(subscriptionInvoice),
  /** The newest undecided dispute of the subscription's payments. */
  openDispute: z
    .object({
      amountPence: pence,
      status: z.string(),
      evidenceDueAt: instant.nullable(),
      dashboardUrl: z.url(),
    })
    .nullable(),
  /** The sums of its rows of Money in, usually in one currency. */
  totals: z.array(z.object({ currency, paidPence: pence, refundedPence: pence, heldPence: pence })),
  /** The unreviewed reason why the subscription continues without payment. */
  unsettled: unsettledCause.nullable(),
  /**
   * The end, if any, of the payer's other running subscription. Null without another subscription.
   */
  other: z.object({ until: instant.nullable() }).nullable(),
  startedAt: instant.nullable(),
  trialEndsAt: instant.nullable(),
  firstPaidAt: instant.nullable(),
  periodEndsAt: instant.nullable(),
  /** The customer's reason at Stripe, and when it ends. */
  cancellationFeedback: z.string().nullable(),
  cancelAt: instant.nullable(),
  endedAt: instant.nullable(),
  paymentAttempts: count,
  nextPaymentAttemptAt: instant.nullable(),
  /** The newest charge, if it failed. */
  decline: z
    .object({ code: z.string(), brand: z.string().nullable(), last4: z.string().nullable() })
    .nullable(),
  isCollectionPaused: z.boolean(),
  /** Parts that could not be read from Stripe. Their fields keep older values. */
  unreadParts: z.array(z.string()),
  dashboardUrl: z.url(),
  customerUrl: z.url(),
});
export type LeadSubscription = z.infer<typeof leadSubscription>;

/** Free access until a date, or with a subscription: its id and its payer. */
export const freeAccess = z.object({
  until: instant.nullable(),
  withSubscription: z.string().nullable(),
  paidBy: z.string().nullable(),
  isOver: z.boolean(),
  grantedBy: z.string(),
  name: z.string().nullable(),
  reason: z.string().nullable(),
});
export type FreeAccess = z.infer<typeof freeAccess>;

/** `GET /api/admin/subscriptions/{id}/refund`: the refundable amount. Amounts in pence. */
export const refundPreview = z.object({
  /** The number of the invoice, or its id. */
  invoice: z.string(),
  paidPence: pence,
  paidAt: instant.nullable(),
  refundedPence: pence,
  left: pence,
  currency,
  /** A dispute that makes Stripe refuse a refund: undecided or lost. */
  dispute: z.enum(['open', 'lost']).nullable(),
});
export type RefundPreview = z.infer<typeof refundPreview>;

export const refundAnswer = z.object({
  id: z.string(),
  status: z.string(),
  amountPence: pence,
  currency,
  invoice: z.string(),
});
export type RefundAnswer = z.infer<typeof refundAnswer>;

/** The reasons of a refund, in Stripe's words. Its third one blocks the card and the email. */
const REFUND_REASONS = ['requested_by_customer', 'duplicate'] as const;

export const cancelBody = z.object({ when: z.enum(['now', 'period-end']) });
export type CancelBody = z.infer<typeof cancelBody>;

export const subscriptionParams = z.object({
  id: z
    .string()
    .regex(/^sub_[\w-]{1,200}$/)
    .describe('The subscription’s id at Stripe'),
});

const invoiceId = z.string().regex(/^in_[\w-]{1,200}$/, 'Must be an invoice’s id at Stripe');
export const refundBody = z.object({
  amountPence: z.number().int().min(1).optional(),
  invoiceId: invoiceId.optional(),
  reason: z.enum(REFUND_REASONS).optional(),
  /** Stored among the notes about the person. */
  note: noteText.optional(),
  cancel: cancelBody.shape.when.optional(),
});
export type RefundBody = z.infer<typeof refundBody>;

const subscriptionNow = {
  200: {
    schema: z.object({
      stripeSubscriptionId: z.string(),
      stage: z.enum(SUBSCRIPTION_STAGES),
      status: z.string(),
      cancelAt: instant.nullable(),
      endedAt: instant.nullable(),
    }),
  },
} satisfies Call['answers'];

export const subscriptionCalls = {
  'POST /api/admin/subscriptions/:id/email': {
    id: 'correctSubscription',
    summary: 'Correct the email of a subscription',
    description:
      'Changes it here and at Stripe, and the tier moves with it. Beehiiv unsubscribes the ' +
      'mistyped one.',
    headers: idempotencyHeader,
    params: subscriptionParams,
    body: z.object({ email: emailField }),
    answers: {
      200: {
        schema: z.object({ email: z.string() }),
      },
    },
    problems: ['not-found', 'already-subscribed', 'already-corrected', 'stripe-unavailable'],
  },
  'GET /api/admin/subscriptions/:id/refund': {
    id: 'previewRefund',
    isForViewer: true,
    summary: 'The refundable part of a paid invoice',
    params: subscriptionParams,
    // Without an invoice, the latest.
    query: z.object({ invoiceId: absentWhenEmpty(invoiceId) }),
    answers: { 200: { schema: refundPreview } },
    problems: ['not-found', 'nothing-to-refund', 'stripe-refused', 'stripe-unavailable'],
  },
  'POST /api/admin/subscriptions/:id/refund': {
    id: 'refund',
    needsConfirmation: 'refund a payment',
    summary: 'Refund a paid invoice, whole or in part',
    description:
      'With `cancel`, cancels the subscription afterwards. If that fails, the refund stays, and ' +
      'the same key again finishes the rest. Refused without an Idempotency-Key.',
    headers: idempotencyHeader.required(),
    params: subscriptionParams,
    // Without an amount, all that is left. Without an invoice, the latest.
    body: refundBody,
    answers: {
      200: {
        schema: z.object({
          refund: refundAnswer,
          cancellation: z.enum(['done', 'failed']).optional(),
        }),
      },
    },
    problems: [
      'not-found',
      'nothing-to-refund',
      'payment-disputed',
      'key-reused',
      'stripe-refused',
      'stripe-unavailable',
    ],
  },
  'POST /api/admin/subscriptions/:id/cancel': {
    id: 'cancelSubscription',
    summary: 'Cancel a subscription, now or at the end of the paid period',
    description: 'Refunds nothing.',
    headers: idempotencyHeader,
    params: subscriptionParams,
    body: cancelBody,
    answers: subscriptionNow,
    problems: [
      'not-found',
      'subscription-over',
      'key-reused',
      'stripe-refused',
      'stripe-unavailable',
    ],
  },
  'POST /api/admin/subscriptions/:id/resume': {
    id: 'resumeSubscription',
    summary: 'Undo a cancellation at the end of the paid period',
    headers: idempotencyHeader,
    params: subscriptionParams,
    answers: subscriptionNow,
    problems: [
      'not-found',
      'subscription-over',
      'key-reused',
      'stripe-refused',
      'stripe-unavailable',
    ],
  },
  'GET /api/admin/invoices/:id/page': {
    id: 'openInvoice',
    isForViewer: true,
    summary: 'Open an invoice’s page at Stripe',
    description:
      'The links of these pages expire, so Stripe is asked for the current one. With `Accept: ' +
      'application/json` it is answered, for an email to the customer.',
    params: z.object({ id: invoiceId.describe('The invoice’s id at Stripe') }),
    answers: {
      200: {
        description: 'For a caller that accepts only JSON',
        schema: z.object({ url: z.url() }),
      },
      303: {},
    },
    problems: ['not-found', 'stripe-refused', 'stripe-unavailable'],
  },
} satisfies Record<CallName, Call>;
