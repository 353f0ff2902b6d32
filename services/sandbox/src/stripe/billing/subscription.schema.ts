import { z } from 'zod';
import {
  acceptedAll,
  emptyable,
  flag,
  integer,
  metadata,
  oneOf,
  text,
} from '../wire/parameters.ts';
import { MISSING_PAYMENT_METHOD } from './subscription.store.ts';

const cancellationDetails = z
  .strictObject({
    comment: emptyable(text()),
    feedback: emptyable(
      oneOf([
        'customer_service',
        'low_quality',
        'missing_features',
        'other',
        'switched_service',
        'too_complex',
        'too_expensive',
        'unused',
      ]),
    ),
  })
  .optional();
export type CancellationDetails = z.infer<typeof cancellationDetails>;

export const updateParameters = {
  items: z
    .array(
      z.strictObject({
        id: text().optional(),
        price: text().optional(),
        quantity: integer(0, 999_999).optional(),
        deleted: flag.optional(),
        metadata,
        ...acceptedAll('tax_rates', 'billing_thresholds', 'clear_usage'),
      }),
    )
    .max(20)
    .optional(),
  discounts: emptyable(
    z.array(
      z.strictObject({
        coupon: text().optional(),
        discount: text().optional(),
        promotion_code: text().optional(),
      }),
    ),
  ),
  cancel_at_period_end: flag.optional(),
  cancel_at: emptyable(integer(0)),
  cancellation_details: cancellationDetails,
  default_payment_method: text().optional(),
  description: emptyable(text(500)),
  metadata,
  pause_collection: emptyable(
    z.strictObject({
      behavior: oneOf(['keep_as_draft', 'mark_uncollectible', 'void']),
      resumes_at: integer(0).optional(),
    }),
  ),
  trial_end: z.union([z.literal('now'), integer(0)]).optional(),
  trial_settings: z
    .strictObject({
      end_behavior: z.strictObject({ missing_payment_method: oneOf(MISSING_PAYMENT_METHOD) }),
    })
    .optional(),
  proration_behavior: oneOf(['always_invoice', 'create_prorations', 'none']).optional(),
  ...acceptedAll(
    'automatic_tax',
    'billing_cycle_anchor',
    'collection_method',
    'days_until_due',
    'default_tax_rates',
    'invoice_settings',
    'off_session',
    'payment_behavior',
    'payment_settings',
    'proration_date',
  ),
};
export type UpdateParameters = z.output<z.ZodObject<typeof updateParameters>>;

export const createParameters = {
  customer: text(),
  items: z
    .array(z.strictObject({ price: text(), quantity: integer(1, 999_999).optional() }))
    .min(1)
    .max(20),
  default_payment_method: text().optional(),
  description: text(500).optional(),
  metadata,
  payment_behavior: oneOf(['allow_incomplete']).optional(),
  trial_period_days: integer(1, 730).optional(),
};
export type CreateParameters = z.output<z.ZodObject<typeof createParameters>>;

export const cancelParameters = {
  cancellation_details: cancellationDetails,
  invoice_now: flag.optional(),
  prorate: flag.optional(),
};
