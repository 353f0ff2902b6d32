import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/objects.ts';
import type { Customer } from './customer.ts';
import type { Subscription } from './subscription.ts';
import { fullPence } from './subscription.ts';

export type Invoice = ReturnType<typeof buildInvoice>;

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

type InvoiceInput = {
  customer: Customer;
  subscription: Subscription;
  /** All discounts on the invoice, in pence. */
  discountPence: number;
  billingReason: BillingReason;
};

/** Builds a draft invoice for a subscription's current period. During a trial the amount is 0. */
export function buildInvoice(clock: Clock, input: InvoiceInput) {
  const { customer, subscription } = input;
  const isTrial = subscription.status === 'trialing';
  const subtotal = isTrial ? 0 : fullPence(subscription.items.data);
  const total = isTrial ? 0 : subtotal - input.discountPence;
  // A negative balance is credit.
  const due = Math.max(0, total + customer.balance);
  return {
    id: newId('in'),
    object: 'invoice' as const,
    amount_due: due,
    amount_paid: 0,
    amount_remaining: due,
    attempt_count: 0,
    billing_reason: input.billingReason,
    created: epochSeconds(clock),
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    discounts: subscription.discounts,
    ending_balance: customer.balance + total - due,
    hosted_invoice_url: null as string | null,
    livemode: false,
    metadata: {},
    next_payment_attempt: null as number | null,
    number: null as string | null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details' as const,
    },
    post_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'draft' as 'draft' | 'open' | 'paid' | 'uncollectible' | 'void',
    status_transitions: {
      finalized_at: null as number | null,
      paid_at: null as number | null,
      voided_at: null as number | null,
    },
    subtotal,
    total,
    total_excluding_tax: total,
    total_taxes: [],
  };
}
