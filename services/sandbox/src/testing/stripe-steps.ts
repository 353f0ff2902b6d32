import { readPath } from '../read-path.ts';
import type { Answer, Calls } from './contract.ts';

// Steps that several cases of `stripe.contract.test.ts` take.

export const at = (answer: Answer, ...path: (string | number)[]): unknown =>
  readPath(answer.body, path);
export const idOf = (answer: Answer): string => String(at(answer, 'id'));

type Sold = { product: string; monthly: string; annual: string };

/**
 * Creates a product with a monthly and an annual price, and archives them afterwards: Stripe never
 * deletes a price.
 */
export async function sell(calls: Calls, tag: string, currency = 'gbp'): Promise<Sold> {
  const metadata = { contract: calls.tag };
  const product = idOf(
    await calls.call('create product', {
      method: 'POST',
      path: '/v1/products',
      params: { name: `Contract ${tag}`, metadata },
    }),
  );
  calls.cleanUp({ method: 'POST', path: `/v1/products/${product}`, params: { active: false } });
  const create = async (interval: 'month' | 'year', unitAmount: number) => {
    const answer = await calls.call(`create price by the ${interval}`, {
      method: 'POST',
      path: '/v1/prices',
      params: {
        product,
        currency,
        unit_amount: unitAmount,
        recurring: { interval },
        lookup_key: `contract_${tag}_${interval}`,
        tax_behavior: 'inclusive',
      },
    });
    calls.cleanUp({
      method: 'POST',
      path: `/v1/prices/${idOf(answer)}`,
      params: { active: false, lookup_key: '' },
    });
    return idOf(answer);
  };
  return { product, monthly: await create('month', 23_900), annual: await create('year', 286_800) };
}

/**
 * Creates a customer with one of Stripe's test cards. A negative `balance` is credit. Deleting the
 * customer ends its subscriptions.
 */
async function payer(
  calls: Calls,
  card: string,
  balance?: number,
): Promise<{ customer: string; method: string }> {
  const params = {
    ...(balance !== undefined && { balance }),
    email: `contract-${calls.tag}@example.com`,
    name: 'Contract Suite',
    metadata: { contract: calls.tag },
  };
  const customer = idOf(
    await calls.call('create customer', { method: 'POST', path: '/v1/customers', params }),
  );
  calls.cleanUp({ method: 'DELETE', path: `/v1/customers/${customer}` });
  const attach = {
    method: 'POST' as const,
    path: `/v1/payment_methods/${card}/attach`,
    params: { customer },
  };
  return { customer, method: idOf(await calls.call('attach card', attach)) };
}

type Chosen = { currency?: string; balance?: number };

export async function subscribe(
  calls: Calls,
  card: string,
  { currency, balance }: Chosen = {},
): Promise<Answer> {
  const { monthly } = await sell(calls, `${calls.tag}_${card}`, currency);
  const { customer, method } = await payer(calls, card, balance);
  return calls.call('create subscription', {
    method: 'POST',
    path: '/v1/subscriptions',
    params: {
      customer,
      default_payment_method: method,
      items: [{ price: monthly }],
      metadata: { contract: calls.tag },
    },
  });
}

/** Reads the id of the payment that paid an invoice. */
export async function paymentOf(calls: Calls, invoice: string): Promise<string> {
  const params = { invoice, status: 'paid' };
  const payments = await calls.call('payments of the invoice', {
    method: 'GET',
    path: '/v1/invoice_payments',
    params,
  });
  return String(at(payments, 'data', 0, 'payment', 'payment_intent'));
}

/** Waits until Stripe lists an event about an object. */
export function eventAbout(calls: Calls, type: string, id: string): Promise<Answer> {
  const find = (body: unknown) => {
    const data = readPath(body, ['data']);
    return Array.isArray(data)
      ? data.find((event) => readPath(event, ['data', 'object', 'id']) === id)
      : undefined;
  };
  return calls.until(
    `event ${type}`,
    { method: 'GET', path: '/v1/events', params: { types: [type], limit: 100 } },
    ({ body }) => find(body) !== undefined,
    find,
  );
}

export const session = (price: string, tag: string) => ({
  mode: 'subscription',
  line_items: [{ price, quantity: 1 }],
  customer_email: `contract-${tag}@example.com`,
  client_reference_id: tag,
  metadata: { contract: tag },
  subscription_data: {
    trial_period_days: 7,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    metadata: { contract: tag },
  },
  payment_method_collection: 'always',
  success_url: 'https://example.com/thank-you?session_id={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://example.com/',
  custom_text: { submit: { message: 'Nothing is charged today.' } },
  locale: 'en-GB',
  adaptive_pricing: { enabled: false },
  after_expiration: { recovery: { enabled: true } },
});
