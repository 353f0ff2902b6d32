import { expect, test } from 'vitest';
import { startSandbox, stripeClient } from '../testing/fixtures.ts';

test('the webhook endpoint is listed once there is one', async () => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);

  expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
  sandbox.setApiUrl('http://127.0.0.1:9/');

  expect((await stripe.webhookEndpoints.list({ limit: 100 })).data).toMatchObject([
    { url: 'http://127.0.0.1:9/api/stripe/webhook', status: 'enabled', enabled_events: ['*'] },
  ]);
  await expect(stripe.webhookEndpoints.list({ limit: 0 })).rejects.toMatchObject({
    param: 'limit',
  });
});
