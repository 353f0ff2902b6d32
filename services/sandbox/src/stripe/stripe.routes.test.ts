// @module-tag long
import axios from 'axios';
import Stripe from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import {
  buildCatalog,
  buildSessionParams,
  startSandbox,
  stripeClient,
} from '../testing/fixtures.ts';

/** Creates a plain client, for requests that the SDK would never send. */
function rawClient(sandbox: Sandbox) {
  return axios.create({
    baseURL: `${sandbox.url}/v1`,
    headers: { Authorization: `Bearer ${sandbox.credentials.stripeSecretKey}` },
    validateStatus: () => true,
  });
}

const WRONG_EMAIL =
  'mode=subscription&line_items[0][price]=p&line_items[0][quantity]=1&success_url=http://a.b&customer_email=ada';

describe('every answer', () => {
  test('a wrong or missing key is an authentication error', async () => {
    const sandbox = await startSandbox();

    const missing = await axios.get(`${sandbox.url}/v1/prices`, { validateStatus: () => true });

    await expect(
      stripeClient(sandbox, { key: 'sk_test_wrong' }).prices.list(),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(missing.status).toBe(401);
    expect(missing.data.error).toMatchObject({ type: 'invalid_request_error' });
  });

  test('another API version is refused', async () => {
    const sandbox = await startSandbox();

    const { status, data } = await rawClient(sandbox).get('/prices', {
      headers: { 'Stripe-Version': '2020-08-27' },
    });

    expect([status, data.error.type]).toEqual([400, 'invalid_request_error']);
  });

  test('an unknown path is refused by name', async () => {
    const { status, data } = await rawClient(await startSandbox()).get('/charges_of_yore');

    expect(status).toBe(404);
    expect(data.error.message).toBe('Unrecognized request URL (GET: /v1/charges_of_yore).');
  });
});

describe('strict parameters', () => {
  test('unknown parameters are refused, including nested ones', async () => {
    const raw = rawClient(await startSandbox());

    const top = await raw.post('/products', 'name=x&colour=red');
    const nested = await raw.post(
      '/checkout/sessions',
      'mode=subscription&line_items[0][price]=p&line_items[0][amount]=1',
    );

    expect(top.data.error).toMatchObject({
      code: 'parameter_unknown',
      param: 'colour',
      type: 'invalid_request_error',
    });
    expect(nested.data.error).toMatchObject({
      code: 'parameter_unknown',
      param: 'line_items[0][amount]',
    });
  });

  test.each([
    ['a missing parameter', '/products', 'active=true', 'parameter_missing', 'name'],
    ['an empty value', '/products', 'name=', 'parameter_invalid_empty', 'name'],
    [
      'an invalid number',
      '/prices',
      'currency=gbp&product=p&unit_amount=12.5',
      'parameter_invalid_integer',
      'unit_amount',
    ],
    ['an invalid boolean', '/products', 'name=x&active=yes', 'parameter_invalid_boolean', 'active'],
    [
      'an invalid email address',
      '/checkout/sessions',
      WRONG_EMAIL,
      'email_invalid',
      'customer_email',
    ],
  ])('%s is refused with its code and parameter', async (_name, path, body, code, param) => {
    const { status, data } = await rawClient(await startSandbox()).post(path, body);

    expect([status, data.error.code, data.error.param]).toEqual([400, code, param]);
  });

  test('a field that cannot be expanded is refused', async () => {
    const sandbox = await startSandbox();
    const stripe = stripeClient(sandbox);
    await buildCatalog(stripe);

    await expect(
      stripe.coupons.retrieve('monthly15', { expand: ['duration'] }),
    ).rejects.toMatchObject({
      param: 'expand',
    });
    await expect(
      stripe.prices.list({ expand: ['data.product.default_price.product.default_price'] }),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('more than 4 levels'),
    });
    await expect(
      stripe.coupons.retrieve('monthly15', { expand: ['nonsense.deeper'] }),
    ).rejects.toMatchObject({
      param: 'expand',
    });
  });
});

describe('idempotency', () => {
  test('the same idempotency key with other parameters is an idempotency error', async () => {
    const stripe = stripeClient(await startSandbox());
    await stripe.products.create({ name: 'Ledger' }, { idempotencyKey: 'k1' });

    const failure: unknown = await stripe.products
      .create({ name: 'Other' }, { idempotencyKey: 'k1' })
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(failure).toMatchObject({ statusCode: 400 });
  });

  test('a refused call does not use up its idempotency key', async () => {
    const stripe = stripeClient(await startSandbox());
    await stripe.products.create({ name: '' }, { idempotencyKey: 'k1' }).catch(() => null);

    const product = await stripe.products.create({ name: 'Ledger' }, { idempotencyKey: 'k1' });

    expect(product.lastResponse.headers['idempotent-replayed']).toBeUndefined();
  });

  test('a 500 is repeated for its idempotency key, a 503 is not', async () => {
    const sandbox = await startSandbox();
    const stripe = stripeClient(sandbox);
    const create = (idempotencyKey: string) =>
      stripe.products
        .create({ name: 'Ledger' }, { idempotencyKey })
        .catch((error: unknown) => error);
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    await create('begun');
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 503 });
    await create('not begun');
    sandbox.setFault({ target: 'stripe', mode: 'ok' });

    expect(await create('begun')).toMatchObject({
      statusCode: 500,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(await create('not begun')).toMatchObject({ object: 'product' });
    expect(sandbox.stripe.products.snapshot()).toHaveLength(1);
  });

  test('an event names the idempotency key of its call, but not of a deletion', async () => {
    const sandbox = await startSandbox();
    const stripe = stripeClient(sandbox);
    const { price } = await buildCatalog(stripe);
    const session = await stripe.checkout.sessions.create(buildSessionParams(price.id));
    sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
    const [subscription] = sandbox.stripe.subscriptions.snapshot();
    const { id } = subscription!;
    await stripe.subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey: 'k1' });
    await stripe.subscriptions.cancel(id, {}, { idempotencyKey: 'k2' });

    const events = sandbox.stripe.events.newestFirst().slice(0, 3);

    expect(events.map(({ type, request }) => [type, request.idempotency_key])).toEqual([
      ['customer.subscription.deleted', null],
      ['customer.subscription.updated', 'k1'],
      ['checkout.session.completed', null],
    ]);
  });

  test('an idempotency key in use is answered with 409', async () => {
    const sandbox = await startSandbox();
    const stripe = stripeClient(sandbox, { maxNetworkRetries: 3 });
    sandbox.setFault({ target: 'stripe', mode: 'slow', delayMs: 300, times: 1 });

    const slow = stripe.products.create({ name: 'Ledger' }, { idempotencyKey: 'k1' });
    await vi.waitFor(() => expect(sandbox.stripe.requests()).toHaveLength(1), 15_000);
    const repeat = stripe.products.create({ name: 'Ledger' }, { idempotencyKey: 'k1' });

    expect((await repeat).id).toBe((await slow).id);
    expect(sandbox.stripe.requests().map(({ status }) => status)).toContain(409);
  });

  test('the SDK’s retry gets a lost answer again, without a second object', async () => {
    const sandbox = await startSandbox();
    const stripe = stripeClient(sandbox, { maxNetworkRetries: 1 });
    sandbox.setFault({ target: 'stripe', mode: 'reset', times: 1 });

    const product = await stripe.products.create({ name: 'Ledger' });

    expect(product.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect(sandbox.stripe.products.snapshot()).toHaveLength(1);
  });
});

describe('failures as the SDK sees them', () => {
  test.each([
    [402, Stripe.errors.StripeCardError],
    [403, Stripe.errors.StripePermissionError],
    [404, Stripe.errors.StripeInvalidRequestError],
    [429, Stripe.errors.StripeRateLimitError],
    [503, Stripe.errors.StripeAPIError],
  ])('a %i becomes the SDK’s own error class', async (status, errorClass) => {
    const sandbox = await startSandbox();
    sandbox.setFault({ target: 'stripe', mode: 'status', status });

    await expect(stripeClient(sandbox).prices.list()).rejects.toBeInstanceOf(errorClass);
  });
});
