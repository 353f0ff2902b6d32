// @module-tag long
import { countLockWaits, openTransaction, storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import type { MoneyList } from '@site/schema/calls/money-figures';
import { OFFER } from '@site/schema/offer';
import { describe, expect } from 'vitest';
import { listPeople } from '../../admin/money/money.repository.ts';
import { erase } from '../../admin/privacy/privacy.service.ts';
import { eventOf, pay, sessionOf, test as base } from '../../testing/shop.fixture.ts';

const EMAIL = 'Priya@acquirers.example';
/** The person's email, and Stripe's pages that show personal data. */
const NAMED = /priya|raman|acquirers|\+44|https?:/i;

/** A person who subscribed, paid and cancelled. */
const test = base
  .extend('payer', async ({ shop, sandbox, db }) => {
    const lead = await storeLead(db, {
      email: EMAIL,
      fullName: 'Priya Raman',
      phone: '+44 1',
      company: 'Acquirers',
    });
    const { id, subscription } = await pay(shop, sandbox, { email: EMAIL, leadId: lead.id });
    sandbox.stripe.advance({ days: 8 });
    for (const type of ['checkout.session.completed', 'invoice.paid'])
      await shop.deliver(eventOf(sandbox, type));
    await shop.stripe.subscriptions.cancel(subscription.id);
    await shop.deliver(eventOf(sandbox, 'customer.subscription.deleted'));
    return { checkout: id, subscription: subscription.id, lead };
  })
  .extend('erased', async ({ db, payer }) => {
    await eraseHere(db);
    return payer;
  });

const eraseHere = (db: Database) => erase({ db, newId: randomUUID }, 'j.holt', EMAIL);

/**
 * Reads every row of the database except the open erasure, which keeps the email until Beehiiv has
 * deleted it.
 */
async function readEverything(db: Database): Promise<string> {
  const { rows } = await db.raw(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const kept: unknown[] = [];
  for (const { name } of rows) if (name !== 'removal_requests') kept.push(await db(name));
  return JSON.stringify(kept);
}

const again = <T extends object>(event: T) => ({ ...event, id: `evt_${randomUUID()}` });

test('an erased person’s recovered checkout is not stored when it expires', async ({
  shop,
  sandbox,
  db,
}) => {
  const { body } = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: EMAIL });
  await shop.stripe.checkout.sessions.expire(sessionOf(body.url));
  await shop.deliver(eventOf(sandbox, 'checkout.session.expired'));
  const { recoveryUrl } = await db('checkouts').first('recoveryUrl');
  await fetch(recoveryUrl, { redirect: 'manual' });
  await eraseHere(db);

  await shop.stripe.checkout.sessions.expire(sandbox.stripe.checkouts.newestFirst()[0]!.id);
  await shop.deliver(eventOf(sandbox, 'checkout.session.expired'));

  expect(await db('checkouts').whereNotNull('email')).toEqual([]);
});

test('an erased person’s open checkout without a lead is not stored when it expires', async ({
  shop,
  sandbox,
  db,
}) => {
  const { body } = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: EMAIL });
  await eraseHere(db);
  await shop.stripe.checkout.sessions.expire(sessionOf(body.url));

  await shop.deliver(eventOf(sandbox, 'checkout.session.expired'));

  expect(await db('checkouts')).toEqual([]);
  expect(await readEverything(db)).not.toMatch(NAMED);
});

test('an erasure leaves payments as they were, even after a late refund', async ({
  shop,
  sandbox,
  db,
  payer: _,
}) => {
  const read = async (of: MoneyList) => {
    const { count, pence } = (await listPeople(db, { of }, 'sk_test')).total;
    return { count, pence };
  };
  const money = async () => ({
    moneyIn: await read('money-in'),
    refunded: await read('refunded'),
    cancelled: await read('ended-payers'),
  });
  const before = await money();
  expect(await db('stripe_invoices').whereNotNull('pageUrl')).toHaveLength(1);

  await eraseHere(db);
  const after = await money();
  await shop.stripe.refunds.create({ charge: sandbox.stripe.charges.newestFirst()[0]!.id });
  await shop.deliver(eventOf(sandbox, 'charge.refunded'));

  const paid = { count: 1, pence: OFFER.launchPricePence };
  expect(before).toEqual({ moneyIn: paid, refunded: { count: 0, pence: 0 }, cancelled: paid });
  expect(after).toEqual(before);
  expect(await money()).toEqual({
    ...before,
    moneyIn: { count: 2, pence: 0 },
    refunded: paid,
  });
  expect(await readEverything(db)).not.toMatch(NAMED);
});

describe('an event about an erased person', () => {
  test.for(['customer.subscription.deleted', 'checkout.session.completed', 'invoice.paid'])(
    'the event %s stores an erased person’s status and payments alone',
    async (type, { shop, sandbox, db, erased }) => {
      expect(await readEverything(db)).not.toMatch(NAMED);

      const { body } = await shop.deliver(again(eventOf(sandbox, type)));

      expect(body.outcome).toBe('applied');
      expect(await db('subscriptions')).toMatchObject([
        {
          stripeSubscriptionId: erased.subscription,
          stage: 'ended',
          email: null,
          name: null,
          company: null,
          phone: null,
          leadId: null,
        },
      ]);
      expect(await readEverything(db)).not.toMatch(NAMED);
      expect(await db('people').whereNotNull('tier')).toEqual([]);
    },
  );

  test('an erased person’s refund is stored without links to invoice pages', async ({
    shop,
    sandbox,
    db,
    erased: _,
  }) => {
    const charge = sandbox.stripe.charges.newestFirst()[0]!;
    await shop.stripe.refunds.create({ charge: charge.id });

    await shop.deliver(eventOf(sandbox, 'charge.refunded'));

    expect(await db('stripe_invoices')).toMatchObject([
      { stripeChargeId: charge.id, paidPence: charge.amount, refundedPence: charge.amount },
    ]);
    expect(await readEverything(db)).not.toMatch(NAMED);
  });

  test('an erased person’s failed event is parked without personal data', async ({
    shop,
    sandbox,
    db,
    erased,
  }) => {
    const event = again(eventOf(sandbox, 'invoice.paid'));
    const invoice = sandbox.stripe.invoices.find(event.data.object['id'] as string)!;
    const { subscription } = invoice.parent.subscription_details;
    const found = sandbox.stripe.subscriptions.find(subscription)!;
    const { status } = found;
    Object.assign(found, { status: { of: 'another shape' } });
    const parked = await shop.deliver(event);
    const before = await readEverything(db);
    Object.assign(found, { status });

    const applied = await shop.deliver(event);

    expect([parked.body.outcome, applied.body.outcome]).toEqual(['parked', 'applied']);
    expect(before).toContain(event.id);
    expect(before).not.toMatch(NAMED);
    expect(await db('subscriptions')).toMatchObject([
      { stripeSubscriptionId: erased.subscription, email: null },
    ]);
  });
});

test('an erasure and the retry of a parked event about the same person do not deadlock', async ({
  shop,
  sandbox,
  db,
}) => {
  const { subscription } = await pay(shop, sandbox, { email: EMAIL });
  await shop.deliver(eventOf(sandbox, 'checkout.session.completed'));
  await shop.stripe.subscriptions.cancel(subscription.id);
  await shop.deliver(eventOf(sandbox, 'customer.subscription.deleted'));
  const event = again(eventOf(sandbox, 'customer.subscription.deleted'));
  const { id, type } = event;
  await db('stripe_events').insert({
    id,
    type,
    outcome: 'parked',
    failure: 'x',
  });

  // Both wait between their first and last lock.
  const held = await openTransaction(db);
  await held('subscriptions').forUpdate();
  const erasing = eraseHere(db);
  await expect.poll(() => countLockWaits(db)).toBe(1);
  const delivering = shop.deliver(event);
  await expect.poll(() => countLockWaits(db)).toBe(2);
  await held.commit();

  expect(await erasing).toMatchObject({ erased: { subscriptions: 1 } });
  expect(await delivering).toMatchObject({ status: 200 });
  expect(await db('subscriptions').select('email')).toEqual([{ email: null }]);
});
