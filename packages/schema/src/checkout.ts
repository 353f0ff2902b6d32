import { z } from 'zod';
import { emailField } from './lead.ts';
import { findEmailFault, tidyEmail } from './email.ts';
import { UPSELL_PLANS } from './offer.ts';

const optionalLeadId = z.uuid().optional().catch(undefined);

/** `POST /api/checkout/session`. A lead id that is none is dropped: a checkout is worth more than its link. */
export const checkoutSessionBody = z.object({ email: emailField, leadId: optionalLeadId });

/** `POST /api/checkout/upsell`. The address comes from the browser's storage, so a broken one is dropped. */
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

/** What was bought, for the receipt. Amounts in pence. */
export const receipt = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  interval: z.enum(['monthly', 'annual']),
  amountPence: z.number().int(),
  paidTodayPence: z.number().int(),
  startedAt: instant,
  /** The end of the trial, when the first charge is due; null where there was no trial. */
  firstChargeAt: instant.nullable(),
});
export type Receipt = z.infer<typeof receipt>;

/** `GET /api/checkout/session/:id`: what Stripe says of this visitor's checkout. */
export const checkoutStateAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('confirmed'), receipt }),
  z.object({ state: z.literal('processing') }),
  z.object({ state: z.literal('not-found') }),
]);
export type CheckoutStateAnswer = z.infer<typeof checkoutStateAnswer>;
