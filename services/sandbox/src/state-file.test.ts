import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listCustomFields } from '@site/schema/lead-fields';
import { createSandbox } from './sandbox.ts';
import {
  beehiivClient,
  buildCatalog,
  buildSessionParams,
  startSandbox,
  startWebhookEndpoint,
  stripeClient,
} from './testing/fixtures.ts';

async function createStatePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'deeper', 'state.json');
}

test('a restart keeps subscribers, the catalog, purchases and idempotency keys', async () => {
  const stateFile = await createStatePath();
  const first = await createSandbox({ stateFile });
  const stripe = stripeClient(first);
  const { price, product } = await buildCatalog(stripe);
  const params = { ...buildSessionParams(price.id), discounts: [{ coupon: 'monthly15' }] };
  const session = await stripe.checkout.sessions.create(params, { idempotencyKey: 'k1' });
  first.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  await beehiivClient(first).post('/subscriptions', { email: 'ada@example.com' });
  await beehiivClient(first).put('/subscriptions/by_email/ada%40example.com', { tier: 'premium' });
  first.beehiiv.removeCustomField('phone');
  await first.close();

  const second = await startSandbox({ stateFile });

  const again = stripeClient(second);
  expect(second.beehiiv.find('ada@example.com')?.subscription_tier).toBe('premium');
  expect((await beehiivClient(second).get('/custom_fields')).data.total_results).toBe(
    listCustomFields().length - 1,
  );
  const bought = await again.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.discounts'],
  });
  expect(bought).toMatchObject({
    status: 'complete',
    subscription: { discounts: [{ source: { coupon: 'monthly15' } }] },
  });
  const replayed = await again.checkout.sessions.create(params, { idempotencyKey: 'k1' });
  expect(replayed.id).toBe(session.id);
  const dearer = await again.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 1,
    lookup_key: 'launch_monthly',
    transfer_lookup_key: true,
  });
  expect(dearer.lookup_key).toBe('launch_monthly');
  expect(second.stripe.subscriptions.snapshot()[0]?.items.data[0]?.price.lookup_key).toBeNull();
});

test('undelivered events are delivered after a restart', async () => {
  const stateFile = await createStatePath();
  const first = await createSandbox({ stateFile, apiUrl: 'http://127.0.0.1:1' });
  const stripe = stripeClient(first);
  const { price } = await buildCatalog(stripe);
  const session = await stripe.checkout.sessions.create(buildSessionParams(price.id));
  await stripe.checkout.sessions.expire(session.id);
  await first.close();

  const endpoint = await startWebhookEndpoint();
  const second = await startSandbox({ stateFile, webhookUrl: endpoint.url });
  await second.stripe.webhooksSettled();

  expect(endpoint.deliveries.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([
    { type: 'checkout.session.expired' },
  ]);
});

test('a change is written to disk while the sandbox runs', async () => {
  const stateFile = await createStatePath();
  const sandbox = await startSandbox({ stateFile });

  await beehiivClient(sandbox).post('/subscriptions', { email: 'ada@example.com' });

  await vi.waitFor(
    async () => expect(await readFile(stateFile, 'utf8')).toContain('ada@example.com'),
    3_000,
  );
});

test('an unreadable file is renamed and the sandbox starts empty', async () => {
  const stateFile = (await createStatePath()).replace('/deeper', '');
  await writeFile(stateFile, '{"version":1,');

  const sandbox = await startSandbox({ stateFile });

  expect(sandbox.beehiiv.subscriptions()).toEqual([]);
  expect(await readFile(`${stateFile}.unreadable`, 'utf8')).toBe('{"version":1,');
});
