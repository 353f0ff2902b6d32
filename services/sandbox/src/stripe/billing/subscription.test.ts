// @module-tag long
import { expect, test } from 'vitest';
import {
  buildCatalog,
  buildSessionParams,
  startSandbox,
  stripeClient,
} from '../../testing/fixtures.ts';

test.each([
  [{ cancel_at: 1_900_000_000, cancel_at_period_end: true }, 'cancel_at'],
  [{ items: [{ id: 'si_gone', price: 'price_gone' }] }, 'items[0][price]'],
  [{ discounts: [{ coupon: 'gone' }] }, 'discounts[0][coupon]'],
  [{ default_payment_method: 'pm_gone' }, 'default_payment_method'],
])('the change %o of a subscription is refused', async (params, param) => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);
  const { price } = await buildCatalog(stripe);
  const session = await stripe.checkout.sessions.create(buildSessionParams(price.id));
  sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  const id = String(sandbox.stripe.subscriptions.snapshot()[0]?.id);

  await expect(stripe.subscriptions.update(id, params)).rejects.toMatchObject({
    statusCode: 400,
    param,
  });
});
