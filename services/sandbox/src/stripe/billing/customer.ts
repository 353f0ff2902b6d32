import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId, randomText } from '../wire/objects.ts';

export type Customer = ReturnType<typeof buildCustomer>;
export type PaymentMethod = ReturnType<typeof buildPaymentMethod>;

export function buildCustomer(clock: Clock, input: { email: string | null; name: string | null }) {
  return {
    id: newId('cus', 14),
    object: 'customer' as const,
    balance: 0,
    created: epochSeconds(clock),
    currency: null as string | null,
    email: input.email,
    invoice_prefix: randomText(8).toUpperCase(),
    livemode: false,
    metadata: {} as Record<string, string>,
    name: input.name,
    next_invoice_sequence: 1,
  };
}

export function buildPaymentMethod(clock: Clock, input: { customer: string; last4: string }) {
  return {
    id: newId('pm'),
    object: 'payment_method' as const,
    card: { brand: 'visa', country: 'GB', last4: input.last4 },
    created: epochSeconds(clock),
    customer: input.customer,
    livemode: false,
    type: 'card' as const,
  };
}
