import type { Clock } from '../../clock.ts';
import { epochSeconds } from '../../clock.ts';
import { newId } from '../wire/ids.ts';
import { embeddedList } from '../wire/list.ts';
import { nulls } from '../wire/nulls.ts';
import type { Customer } from './customer.store.ts';
import type { Subscription, SubscriptionItem } from './subscription.store.ts';

export const INVOICE_STATUSES = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];
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
  const id = newId('in');
  const now = epochSeconds(clock);
  const isTrial = subscription.status === 'trialing';
  const lines = subscription.items.data.map((item) => buildLine(id, item, isTrial));
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const discount = isTrial ? 0 : input.discountPence;
  const total = subtotal - discount;
  // A negative balance is credit.
  const due = Math.max(0, total + customer.balance);
  const left = customer.balance + total - due;
  const discountAmounts = subscription.discounts.map((discountId) => ({
    amount: discount,
    discount: discountId,
  }));
  return {
    id,
    object: 'invoice' as const,
    account_country: 'GB',
    account_name: 'Sandbox',
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: false,
      liability: null,
      provider: null,
      status: null,
    },
    billing_reason: input.billingReason,
    collection_method: 'charge_automatically' as const,
    created: now,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: 'none' as const,
    customer_tax_ids: [],
    default_tax_rates: [],
    discounts: subscription.discounts,
    effective_at: null as number | null,
    ending_balance: left,
    hosted_invoice_url: null as string | null,
    invoice_pdf: null as string | null,
    issuer: { type: 'self' as const },
    lines: embeddedList(`/v1/invoices/${id}/lines`, lines),
    livemode: false,
    metadata: {},
    next_payment_attempt: null as number | null,
    number: null as string | null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details' as const,
    },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: customer.balance,
    status: 'draft' as InvoiceStatus,
    status_transitions: {
      finalized_at: null as number | null,
      marked_uncollectible_at: null as number | null,
      paid_at: null as number | null,
      voided_at: null as number | null,
    },
    subtotal,
    subtotal_excluding_tax: subtotal,
    total,
    total_discount_amounts: discountAmounts,
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: null as number | null,
    ...nulls(
      'account_tax_ids',
      'application',
      'automatically_finalizes_at',
      'custom_fields',
      'customer_account',
    ),
    ...nulls(
      'customer_address',
      'customer_shipping',
      'default_payment_method',
      'default_source',
      'description',
    ),
    ...nulls(
      'due_date',
      'footer',
      'from_invoice',
      'last_finalization_error',
      'latest_revision',
      'on_behalf_of',
    ),
    ...nulls(
      'receipt_number',
      'rendering',
      'shipping_cost',
      'shipping_details',
      'statement_descriptor',
      'test_clock',
    ),
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
    quantity_decimal: String(item.quantity),
    subscription: item.subscription,
    subtotal: amount,
    taxes: [],
  };
}
