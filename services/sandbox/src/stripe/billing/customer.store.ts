import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId, randomText } from '../wire/ids.ts';
import { nulls } from '../wire/nulls.ts';

export type Customer = ReturnType<typeof buildCustomer>;
export type PaymentMethod = ReturnType<typeof buildPaymentMethod>;

export function buildCustomer(clock: Clock, input: { email: string | null; name: string | null }) {
  return {
    id: newId('cus', 14),
    object: 'customer' as const,
    balance: 0,
    created: epochSeconds(clock),
    currency: null as string | null,
    delinquent: false,
    description: null as string | null,
    email: input.email,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null as string | null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {} as Record<string, string>,
    name: input.name,
    next_invoice_sequence: 1,
    phone: null as string | null,
    preferred_locales: [],
    tax_exempt: 'none' as const,
    ...nulls('address', 'default_source', 'discount', 'shipping', 'test_clock'),
  };
}

export function buildPaymentMethod(clock: Clock, input: { customer: string; last4: string }) {
  return {
    id: newId('pm'),
    object: 'payment_method' as const,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: 'visa',
      checks: null,
      country: 'GB',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: clock.now().getUTCFullYear() + 3,
      funding: 'credit',
      generated_from: null,
      last4: input.last4,
      networks: null,
      regulated_status: null,
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: epochSeconds(clock),
    customer: input.customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card' as const,
  };
}
