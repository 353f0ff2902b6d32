import { z } from 'zod';
import { emptyable, flag, integer, metadata, oneOf, text } from '../wire/parameters.ts';

export const cancellationReason = oneOf([
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
]);
export const cancellationDetails = z
  .strictObject({ feedback: emptyable(cancellationReason) })
  .optional();

export const createParameters = {
  customer: text(),
  items: z
    .array(z.strictObject({ price: text() }))
    .min(1)
    .max(20),
  default_payment_method: text(),
  metadata,
};
export type CreateParameters = z.output<z.ZodObject<typeof createParameters>>;

export const updateParameters = {
  items: z
    .array(z.strictObject({ id: text(), price: text() }))
    .max(20)
    .optional(),
  discounts: emptyable(z.array(z.strictObject({ coupon: text() }))),
  cancel_at_period_end: flag.optional(),
  cancel_at: emptyable(integer(0)),
  cancellation_details: cancellationDetails,
  default_payment_method: text().optional(),
  metadata,
  pause_collection: emptyable(z.strictObject({ behavior: oneOf(['void']) })),
};
export type UpdateParameters = z.output<z.ZodObject<typeof updateParameters>>;
