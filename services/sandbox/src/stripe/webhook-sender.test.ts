// @module-tag long
import axios from 'axios';
import { expect, test } from 'vitest';
import {
  createPrice,
  startSandbox,
  startWebhookEndpoint,
  stripeClient,
} from '../testing/fixtures.ts';

test('webhooks arrive twice and in any order when asked to', async () => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);
  const price = await createPrice(stripe);
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://shop.test/thank-you',
  });
  const endpoint = await startWebhookEndpoint();
  sandbox.setWebhookUrl(endpoint.url);
  await axios.post(`${sandbox.url}/_control/payments`, { shuffle: true, duplicate: true });

  sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  await sandbox.stripe.webhooksSettled();

  const ids = endpoint.bodies.map((body) => (JSON.parse(body.toString()) as { id: string }).id);
  const inOrder = sandbox.stripe.events.snapshot().flatMap(({ id }) => [id, id]);
  expect(ids.toSorted()).toEqual(inOrder.toSorted());
  expect(ids).not.toEqual(inOrder);
});
