import type { Customer } from '../billing/customer.ts';
import { buildCustomer, buildPaymentMethod } from '../billing/customer.ts';
import { billPeriod } from '../billing/invoice.service.ts';
import { redeem } from '../billing/subscription.service.ts';
import type { Subscription } from '../billing/subscription.ts';
import { buildSubscription } from '../billing/subscription.ts';
import { mustAuthenticate, readCard } from '../billing/test-cards.ts';
import { isEmail } from '../wire/parameters.ts';
import type { CheckoutDeps, CheckoutRecord } from './checkout-session.ts';
import { customerDetails, hasTrial } from './checkout-session.ts';

/** The bank's answer about a card that needs authentication. */
export type Authentication = 'succeeded' | 'failed';

/** The visitor's input on the hosted page. */
export type Payer = {
  email: string;
  name: string | null;
  cardNumber: string;
  /** The VAT number, if the session collects one. */
  taxId?: string;
  authentication?: Authentication;
};

export type CompletionOutcome =
  | { kind: 'completed'; redirectTo: string }
  | { kind: 'needs-authentication' }
  | { kind: 'refused'; field: 'email' | 'cardNumber'; message: string }
  | { kind: 'not-open' };

/**
 * Completes a checkout when the visitor presses Subscribe. A declined card, and authentication that
 * fails or never happens, change nothing: the session stays open. Otherwise the customer, the
 * subscription and its first invoice are created, and the events are emitted.
 */
export function completeCheckout(
  deps: CheckoutDeps,
  record: CheckoutRecord,
  payer: Payer,
): CompletionOutcome {
  const { session, order } = record;
  if (session.status !== 'open') return { kind: 'not-open' };
  if (!isEmail(payer.email)) {
    return { kind: 'refused', field: 'email', message: 'Your email is incomplete.' };
  }
  const card = readCard(payer.cardNumber);
  if (!card) {
    return {
      kind: 'refused',
      field: 'cardNumber',
      message: 'Your card number is invalid. Use one of the test cards.',
    };
  }
  // Without a trial the card is charged now, so a card that fails later fails here.
  if (card.outcome === 'declined' || (card.outcome === 'fails later' && !hasTrial(order))) {
    const message = 'Your card was declined. Please try a different card.';
    return { kind: 'refused', field: 'cardNumber', message };
  }
  const isAuthenticated = payer.authentication === 'succeeded';
  if (mustAuthenticate(card.outcome) && !isAuthenticated) {
    if (payer.authentication === undefined) return { kind: 'needs-authentication' };
    const message =
      'We are unable to authenticate your payment method. Please choose a different one and try again.';
    return { kind: 'refused', field: 'cardNumber', message };
  }

  const customer = deps.store.customers.insert(
    buildCustomer(deps.clock, { email: payer.email, name: payer.name }),
  );
  const { id: method } = deps.store.paymentMethods.insert(
    buildPaymentMethod(deps.clock, { customer: customer.id, last4: card.number.slice(-4) }),
  );
  const subscription = createSubscription(deps, record, customer, method);
  session.status = 'complete';
  session.url = null;
  session.payment_status = hasTrial(order) ? 'no_payment_required' : 'paid';
  session.customer = customer.id;
  session.customer_details = customerDetails(payer.email, payer.name, payer.taxId);
  if (session.automatic_tax.enabled) {
    session.automatic_tax.status = 'complete';
    session.total_details.amount_tax = vatIn(session.amount_total);
  }
  session.subscription = subscription.id;
  if (session.consent_collection?.terms_of_service === 'required') {
    session.consent = { promotions: null, terms_of_service: 'accepted' };
  }
  deps.emit('customer.subscription.created', subscription);
  session.invoice = billPeriod(deps, subscription, 'subscription_create', { isAuthenticated }).id;
  deps.emit('checkout.session.completed', session);
  return {
    kind: 'completed',
    redirectTo: (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id),
  };
}

/** All prices include VAT at the UK's rate. */
function vatIn(pence: number): number {
  return Math.round(pence / 6);
}

function createSubscription(
  deps: CheckoutDeps,
  { order }: CheckoutRecord,
  customer: Customer,
  defaultPaymentMethod: string,
): Subscription {
  const subscription = buildSubscription(deps.clock, {
    customer: customer.id,
    defaultPaymentMethod,
    metadata: order.metadata,
    items: order.items,
    trialDays: order.trialPeriodDays,
  });
  if (order.coupon) subscription.discounts = [redeem(deps, order.coupon, subscription)];
  customer.currency = subscription.currency;
  return deps.store.subscriptions.insert(subscription);
}
