import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import type { Customer } from './customer.store.ts';
import { newId } from './ids.ts';
import { embeddedList } from './list.ts';
import type { Subscription, SubscriptionItem } from './subscription.store.ts';

export type Invoice = ReturnType<typeof buildPaidInvoice>;

type InvoiceInput = {
  customer: Customer;
  subscription: Subscription;
  /** What the whole invoice loses to its discounts, in pence. */
  discountPence: number;
  billingReason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  publicUrl: string;
};

/** The invoice of a subscription's present period, paid at once. During a trial it is over nothing, and paid too. */
export function buildPaidInvoice(clock: Clock, input: InvoiceInput) {
  const { customer, subscription } = input;
  const id = newId('in');
  const now = epochSeconds(clock);
  const isTrial = subscription.status === 'trialing';
  const lines = subscription.items.data.map((item) => buildLine(id, item, isTrial));
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const discount = isTrial ? 0 : input.discountPence;
  const total = subtotal - discount;
  const discountAmounts = subscription.discounts.map((discountId) => ({ amount: discount, discount: discountId }));
  const number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`;
  return {
    id,
    object: 'invoice' as const,
    account_country: 'GB',
    account_name: 'Sandbox',
    account_tax_ids: null,
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: total,
    amount_remaining: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: total === 0 ? 0 : 1,
    attempted: true,
    auto_advance: false,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: null,
    billing_reason: input.billingReason,
    collection_method: 'charge_automatically' as const,
    created: now,
    currency: subscription.currency,
    custom_fields: null,
    customer: customer.id,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_shipping: null,
    customer_tax_exempt: 'none' as const,
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: subscription.discounts,
    due_date: null,
    effective_at: now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: `${input.publicUrl}/i/${id}`,
    invoice_pdf: `${input.publicUrl}/i/${id}/pdf`,
    issuer: { type: 'self' as const },
    last_finalization_error: null,
    latest_revision: null,
    lines: embeddedList(`/v1/invoices/${id}/lines`, lines),
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details' as const,
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'paid' as const,
    status_transitions: { finalized_at: now, marked_uncollectible_at: null, paid_at: now, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: null,
    total,
    total_discount_amounts: discountAmounts,
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: now,
  };
}

function buildLine(invoice: string, item: SubscriptionItem, isTrial: boolean) {
  const amount = isTrial ? 0 : item.price.unit_amount * item.quantity;
  return {
    id: newId('il'),
    object: 'line_item' as const,
    amount,
    currency: item.price.currency,
    description: isTrial ? 'Trial period' : `${item.quantity} × subscription`,
    discount_amounts: [],
    discountable: !isTrial,
    discounts: [],
    invoice,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details' as const,
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: item.price.id, product: item.price.product },
      type: 'price_details' as const,
      unit_amount_decimal: isTrial ? '0' : item.price.unit_amount_decimal,
    },
    quantity: item.quantity,
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  };
}
