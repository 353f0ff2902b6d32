// @module-tag long
import axios from 'axios';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import { startSandbox, stripeClient } from '../testing/fixtures.ts';

/** Creates a plain client, for requests that the SDK would never send. */
function rawClient(sandbox: Sandbox) {
  return axios.create({
    baseURL: `${sandbox.url}/v1`,
    headers: { Authorization: `Bearer ${sandbox.credentials.stripeSecretKey}` },
    validateStatus: () => true,
  });
}

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
});

describe('idempotency', () => {
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
});
