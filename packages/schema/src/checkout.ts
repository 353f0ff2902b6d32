import { z } from 'zod';
import { emailField } from './lead.ts';
import { findEmailFault, tidyEmail } from './email.ts';
import { UPSELL_PLANS } from './offer.ts';

const optionalLeadId = z.uuid().optional().catch(undefined);

/** `POST /api/checkout/session`. An invalid lead id is dropped, because the checkout matters more than its link to a lead. */
export const checkoutSessionBody = z.object({ email: emailField, leadId: optionalLeadId });

/** `POST /api/checkout/upsell`. The address comes from the browser's storage, so an invalid one is dropped. */
export const checkoutUpsellBody = z.object({
  plan: z.enum(UPSELL_PLANS, { error: `Must be one of ${UPSELL_PLANS.join(', ')}` }),
  email: z
    .unknown()
    .optional()
    .transform((value) => {
      const email = typeof value === 'string' ? tidyEmail(value) : '';
      return findEmailFault(email) ? undefined : email;
    }),
});

export const checkoutUrlAnswer = z.object({ url: z.url() });
export type CheckoutUrlAnswer = z.infer<typeof checkoutUrlAnswer>;

const instant = z.iso.datetime();

/** The receipt's details. Amounts in pence. */
export const receipt = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  interval: z.enum(['monthly', 'annual']),
  amountPence: z.number().int(),
  paidTodayPence: z.number().int(),
  startedAt: instant,
  /** The end of the trial, when the first charge is due. Null without a trial. */
  firstChargeAt: instant.nullable(),
  /** Null unless Stripe computes VAT. The buyer's tax ids are those that they gave. */
  vat: z.object({ paidTodayPence: z.number().int(), taxIds: z.array(z.string()) }).nullable(),
});
export type Receipt = z.infer<typeof receipt>;

/** `GET /api/checkout/session/:id`: the state of this visitor's checkout at Stripe. */
export const checkoutStateAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('confirmed'), receipt }),
  z.object({ state: z.literal('processing') }),
  z.object({ state: z.literal('not-found') }),
]);
export type CheckoutStateAnswer = z.infer<typeof checkoutStateAnswer>;
