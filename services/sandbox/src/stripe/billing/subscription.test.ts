// @module-tag long
import fc from 'fast-check';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  buildCatalog,
  buildSessionParams,
  standingClock,
  startSandbox,
  stripeClient,
} from '../../testing/fixtures.ts';
import { addInterval } from './subscription.ts';

async function subscribe(params: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const clock = standingClock();
  const sandbox = await startSandbox({ clock });
  const stripe = stripeClient(sandbox);
  const { price, product } = await buildCatalog(stripe);
  const session = await stripe.checkout.sessions.create({
    ...buildSessionParams(price.id),
    ...params,
  });
  sandbox.stripe.completeCheckout(session.id, { email: 'ada@example.com' });
  const subscription = sandbox.stripe.subscriptions.snapshot()[0];
  return {
    sandbox,
    stripe,
    clock,
    product,
    price,
    id: String(subscription?.id),
    itemId: String(subscription?.items.data[0]?.id),
  };
}

async function lastEvent(stripe: Stripe): Promise<Stripe.Event | undefined> {
  return (await stripe.events.list({ limit: 1 })).data[0];
}

describe('changing a subscription', () => {
  test('a changed price and discount replace the old ones', async () => {
    const { stripe, product, id, itemId } = await subscribe();
    const annual = await stripe.prices.create({
      product: product.id,
      currency: 'gbp',
      unit_amount: 286_800,
      recurring: { interval: 'year' },
      lookup_key: 'launch_annual',
    });

    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: annual.id }],
      discounts: [{ coupon: 'monthly15' }],
    });

    expect(changed.items.data).toMatchObject([
      { id: itemId, price: { lookup_key: 'launch_annual' } },
    ]);
    expect(changed.discounts).toHaveLength(1);
    const event = await lastEvent(stripe);
    expect(event).toMatchObject({
      type: 'customer.subscription.updated',
      data: {
        previous_attributes: {
          discounts: [],
          items: { data: [{ price: { lookup_key: 'launch_monthly' } }] },
        },
      },
    });
    expect(Object.keys(event?.data.previous_attributes ?? {}).sort()).toEqual([
      'discounts',
      'items',
    ]);
  });

  test('a deleted coupon still discounts the subscriptions that have it', async () => {
    const { sandbox, stripe, id } = await subscribe({ discounts: [{ coupon: 'monthly15' }] });

    await stripe.coupons.del('monthly15');
    sandbox.stripe.advance({ days: 7 });

    const renewed = await stripe.subscriptions.retrieve(id, {
      expand: ['latest_invoice', 'discounts.source.coupon'],
    });
    expect(renewed).toMatchObject({
      latest_invoice: { subtotal: 23_900, total: 20_315 },
      discounts: [{ source: { coupon: { id: 'monthly15', percent_off: 15 } } }],
    });
  });

  test('an update that changes nothing emits no event', async () => {
    const { stripe, id } = await subscribe();
    const before = await lastEvent(stripe);

    await stripe.subscriptions.update(id, { metadata: { lead_id: 'L1' } });

    expect((await lastEvent(stripe))?.id).toBe(before?.id);
  });

  test.each([
    [{ cancel_at: 1_900_000_000, cancel_at_period_end: true }, 'cancel_at'],
    [{ items: [{ id: 'si_gone', price: 'price_gone' }] }, 'items[0][price]'],
    [{ discounts: [{ coupon: 'gone' }] }, 'discounts[0][coupon]'],
    [{ default_payment_method: 'pm_gone' }, 'default_payment_method'],
  ])('the change %o is refused', async (params, param) => {
    const { stripe, id } = await subscribe();

    await expect(stripe.subscriptions.update(id, params)).rejects.toMatchObject({
      statusCode: 400,
      param,
    });
  });
});

describe('a subscription whose first charge does not succeed', () => {
  async function subscribeByApi(card: string) {
    const clock = standingClock();
    const sandbox = await startSandbox({ clock });
    const stripe = stripeClient(sandbox);
    const { price } = await buildCatalog(stripe);
    const customer = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada' });
    const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
    const created = await stripe.subscriptions.create({
      customer: customer.id,
      default_payment_method: method.id,
      items: [{ price: price.id }],
      expand: ['latest_invoice'],
    });
    return { sandbox, stripe, customer, created };
  }

  test('a subscription whose first charge fails expires after 23 hours', async () => {
    const { sandbox, stripe, created } = await subscribeByApi('pm_card_authenticationRequired');

    sandbox.stripe.advance({ seconds: 23 * 60 * 60 - 1 });
    const waiting = await stripe.subscriptions.retrieve(created.id);
    sandbox.stripe.advance({ seconds: 1 });

    expect(created).toMatchObject({
      status: 'incomplete',
      latest_invoice: { status: 'open', next_payment_attempt: null },
    });
    expect(waiting.status).toBe('incomplete');
    const over = await stripe.subscriptions.retrieve(created.id, { expand: ['latest_invoice'] });
    expect(over).toMatchObject({
      status: 'incomplete_expired',
      latest_invoice: { status: 'void' },
    });
    expect(await lastEvent(stripe)).toMatchObject({
      type: 'customer.subscription.updated',
      data: {
        object: { status: 'incomplete_expired' },
        previous_attributes: { status: 'incomplete' },
      },
    });
    expect((await stripe.subscriptions.list()).data).toEqual([]);
    await expect(stripe.subscriptions.cancel(created.id)).rejects.toMatchObject({
      statusCode: 404,
    });
  });

  test('an incomplete subscription becomes active when its invoice is paid', async () => {
    const { stripe, customer, created } = await subscribeByApi('pm_card_chargeDeclined');
    const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.subscriptions.update(created.id, { default_payment_method: good.id });

    await stripe.invoices.pay((created.latest_invoice as Stripe.Invoice).id ?? '');

    expect(created.status).toBe('incomplete');
    expect((await stripe.subscriptions.retrieve(created.id)).status).toBe('active');
  });

  test('a subscription ends with its customer, whom later readings show as deleted', async () => {
    const { stripe, customer, created } = await subscribeByApi('pm_card_visa');

    await stripe.customers.del(customer.id);

    expect(await stripe.subscriptions.retrieve(created.id, { expand: ['customer'] })).toMatchObject(
      {
        status: 'canceled',
        customer: { id: customer.id, deleted: true },
      },
    );
  });
});

describe('addInterval', () => {
  const monthly = {
    interval: 'month' as const,
    interval_count: 1,
  };
  const at = (iso: string) => Date.parse(iso) / 1_000;

  test('a month after the 31st is the last day of a shorter month', () => {
    expect(addInterval(at('2027-01-31T10:00:00Z'), monthly)).toBe(at('2027-02-28T10:00:00Z'));
    expect(addInterval(at('2028-02-29T10:00:00Z'), { ...monthly, interval: 'year' })).toBe(
      at('2029-02-28T10:00:00Z'),
    );
  });

  test('a month is 28 to 31 whole days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (start) => {
        const days = (addInterval(start, monthly) - start) / 86_400;
        return Number.isInteger(days) && days >= 28 && days <= 31;
      }),
    );
  });
});
