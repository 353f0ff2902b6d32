import type { Clock } from '../../clock.ts';
import type { Catalog } from '../catalog.ts';
import type { Emit } from '../events.ts';
import { createCollection } from '../wire/collection.ts';
import type { Customer, PaymentMethod } from './customer.ts';
import type { Invoice } from './invoice.ts';
import type {
  BalanceTransaction,
  Charge,
  CreditNote,
  Dispute,
  InvoicePayment,
  Refund,
} from './payment.ts';
import type { PortalRecord } from './portal-configuration.ts';
import type { Discount, Redemption, Subscription } from './subscription.ts';

/** Customers, their subscriptions and their payments. */
export type Billing = ReturnType<typeof createBilling>;

export type BillingState = {
  /** For each subscription, the trial end that its last reminder announced. */
  remindedOf: Record<string, number | null>;
  /** The account's setting for a subscription whose last charge attempt has failed. */
  afterDunning: 'cancel' | 'unpaid';
  /** True if the account names its terms. Otherwise no checkout can ask for acceptance. */
  hasTerms: boolean;
};

export type BillingDeps = {
  store: Catalog & Billing & { billing: BillingState };
  clock: Clock;
  /** Origin of the pages that a person opens. */
  publicUrl: () => string;
  /** A new period is announced before its invoice, as Stripe does, or after it. */
  isUpdatedFirst: () => boolean;
  emit: Emit;
};

export function createBilling() {
  return {
    discounts: createCollection<Discount>('discount'),
    redemptions: createCollection<Redemption>('redemption'),
    customers: createCollection<Customer>('customer'),
    paymentMethods: createCollection<PaymentMethod>('PaymentMethod'),
    subscriptions: createCollection<Subscription>('subscription'),
    invoices: createCollection<Invoice>('invoice'),
    charges: createCollection<Charge>('charge'),
    balanceTransactions: createCollection<BalanceTransaction>('balance_transaction'),
    invoicePayments: createCollection<InvoicePayment>('invoice_payment'),
    refunds: createCollection<Refund>('refund'),
    disputes: createCollection<Dispute>('dispute'),
    creditNotes: createCollection<CreditNote>('credit_note'),
    portals: createCollection<PortalRecord>('configuration'),
  };
}
