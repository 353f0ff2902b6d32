import { z } from 'zod';
import { findEmailError, tidyEmail } from '../email.ts';
import { DOCUMENTED_EMAIL, emailField } from '../email-field.ts';
import { leadIntakeBody } from '../lead-intake.ts';
import { BEEHIIV_STATUSES } from '../lead.ts';
import { UPSELL_PLANS } from '../offer.ts';
import type { Call, CallName } from './call.ts';
import { idempotencyHeader, instant, pence } from './request-parts.ts';

export const checkoutUrlAnswer = z.object({ url: z.url() });

/** The receipt's details. Amounts in pence. */
export const receipt = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  interval: z.enum(['monthly', 'annual']),
  amountPence: pence,
  paidTodayPence: pence,
  startedAt: instant,
  /** The end of the trial, when the first charge is due. Null without a trial. */
  firstChargeAt: instant.nullable(),
  /** Null unless Stripe computes VAT. The tax ids are the buyer's own. */
  vat: z.object({ paidTodayPence: pence, taxIds: z.array(z.string()) }).nullable(),
});
export type Receipt = z.infer<typeof receipt>;

/** `GET /api/checkout/session/:id`: the state of this visitor's checkout at Stripe. */
export const checkoutStateAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('confirmed'),
    receipt,
    /** Opened by an operator, so the purchase is no conversion of the site. */
    isPaymentLink: z.literal(true).optional(),
  }),
  z.object({ state: z.literal('processing') }),
  /** Not paid, perhaps never. `url`: Stripe's page, for the browser that opened it. */
  z.object({ state: z.literal('unfinished'), url: z.string().nullable(), isExpired: z.boolean() }),
  z.object({ state: z.literal('not-found') }),
]);
export type CheckoutStateAnswer = z.infer<typeof checkoutStateAnswer>;

export const leadIntakeAnswer = z.object({ id: z.uuid(), beehiivStatus: z.enum(BEEHIIV_STATUSES) });

/** The two upsell buttons. */
const TRACK_EVENTS = ['cta-monthly-15', 'cta-annual-25'] as const;
export type TrackEvent = (typeof TRACK_EVENTS)[number];
const TRACK_PAGES = ['sample-sent'] as const;

const opened = {
  answers: {
    200: { schema: checkoutUrlAnswer },
  },
  problems: ['already-subscribed', 'too-many-requests', 'stripe-unavailable'],
} satisfies Partial<Call>;

export const visitorCalls = {
  'POST /api/lead/subscribe': {
    id: 'captureLead',
    summary: 'Submit a lead',
    description:
      'Answers as soon as the lead is committed. Only the email and the form type can refuse ' +
      'a lead: every other field is coerced, cut or dropped, and unknown fields are ignored. ' +
      'The same key and email, or the same email, form and visitor (IP address and browser) ' +
      'within ten minutes, answer with the first lead. A key of a lead that was erased stores ' +
      'nothing.',
    isPublic: true,
    headers: idempotencyHeader,
    body: leadIntakeBody,
    answers: {
      201: { description: 'A new lead', schema: leadIntakeAnswer },
      200: { description: 'The lead that this one repeats', schema: leadIntakeAnswer },
    },
    problems: ['lead-erased', 'too-many-requests'],
  },
  'POST /api/checkout/session': {
    id: 'openCheckout',
    summary: 'Open a checkout',
    isPublic: true,
    headers: idempotencyHeader,
    // An invalid lead id is dropped, because the checkout matters more than its link to a lead.
    body: z.object({
      email: emailField,
      leadId: z.uuid().optional().catch(undefined),
    }),
    ...opened,
  },
  'POST /api/checkout/upsell': {
    id: 'openUpsell',
    summary: 'Open a discounted checkout',
    description: 'An invalid email is ignored: it comes from the browser’s storage.',
    isPublic: true,
    headers: idempotencyHeader,
    // The email comes from the browser's storage, so an invalid one is dropped.
    body: z.object({
      plan: z.enum(UPSELL_PLANS, { error: `Must be one of ${UPSELL_PLANS.join(', ')}` }),
      email: z
        .unknown()
        .optional()
        .transform((value) => {
          const email = typeof value === 'string' ? tidyEmail(value) : '';
          return findEmailError(email) ? undefined : email;
        })
        .meta(DOCUMENTED_EMAIL),
    }),
    ...opened,
  },
  'GET /api/checkout/session/:id': {
    id: 'readCheckout',
    summary: 'The state of a checkout',
    description:
      'Only the browser that opened the checkout gets name and email in full, for a day, and ' +
      'the URL of an open one. For everybody else they are masked.',
    isPublic: true,
    params: z.object({ id: z.string().describe('The checkout session’s id at Stripe') }),
    answers: {
      200: {
        description: 'Confirmed with its receipt, still processing, or not finished',
        schema: checkoutStateAnswer,
      },
      404: { description: 'No such checkout', schema: checkoutStateAnswer },
    },
    problems: ['too-many-requests', 'stripe-unavailable'],
  },
  'POST /api/track': {
    id: 'trackPress',
    summary: 'Count a press of an upsell button',
    isPublic: true,
    body: z.object({
      event: z.enum(TRACK_EVENTS, { error: `Must be one of ${TRACK_EVENTS.join(', ')}` }),
      page: z.enum(TRACK_PAGES, { error: `Must be one of ${TRACK_PAGES.join(', ')}` }),
    }),
    answers: { 204: {} },
    problems: ['too-many-requests'],
  },
} satisfies Record<CallName, Call>;
