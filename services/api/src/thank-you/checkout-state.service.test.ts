// @module-tag long
import { storeLead } from '@site/testing/builders';
import { checkoutStateAnswer } from '@site/schema/calls/visitor';
import { OFFER, listPricePence, upsellPricePence } from '@site/schema/offer';
import { describe, expect } from 'vitest';
import { erasePerson, findPerson, readHeldRows } from '../admin/privacy/privacy.repository.ts';
import {
  openCheckout,
  pay,
  payForMugs,
  sessionOf,
  test as base,
  VISITOR,
} from '../testing/shop.fixture.ts';
import type { Answer } from '../testing/shop.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

const test = base.extend('limitedShop', ({ newShop }) =>
  newShop({ settings: { RATE_LIMIT_LEADS_PER_MINUTE: '10' } }),
);

const cookieOf = ({ headers }: Answer) => headers.get('Set-Cookie')?.split(';')[0] ?? '';

describe('GET /api/checkout/session/:id', () => {
  test('a checkout is unfinished while the visitor pays, then confirmed', async ({
    shop,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, { email: VISITOR, company: 'Raman & Co' });
    const opened = await openCheckout(shop, { leadId: lead.id });
    const id = sessionOf(opened.body.url);
    const waiting = await shop.get(`/api/checkout/session/${id}`, { Cookie: cookieOf(opened) });
    const waitingForOthers = await shop.get(`/api/checkout/session/${id}`);
    sandbox.stripe.completeCheckout(id, { email: VISITOR, name: 'Priya Raman' });

    const done = await shop.get(`/api/checkout/session/${id}`, { Cookie: cookieOf(opened) });

    expect(waiting).toMatchObject({
      status: 200,
      body: { state: 'unfinished', url: opened.body.url },
    });
    // Stripe's page shows the email.
    expect(waitingForOthers.body).toEqual({ state: 'unfinished', url: null, isExpired: false });
    expect(done.status).toBe(200);
    const trialEndsAt = new Date(sandbox.stripe.subscriptions.newestFirst()[0]!.trial_end! * 1_000);
    expect(checkoutStateAnswer.parse(done.body)).toEqual({
      state: 'confirmed',
      receipt: {
        name: 'Priya Raman',
        email: 'Priya@acquirers.example',
        interval: 'monthly',
        amountPence: OFFER.launchPricePence,
        paidTodayPence: 0,
        startedAt: expect.any(String),
        firstChargeAt: trialEndsAt.toISOString(),
        vat: null,
      },
    });
    expect(await db('subscriptions').select('*')).toMatchObject([
      {
        email: VISITOR,
        name: 'Priya Raman',
        company: 'Raman & Co',
        leadId: lead.id,
        stripeCheckoutSessionId: id,
        status: 'trialing',
        plan: 'monthly',
        coupon: null,
        amountPence: OFFER.launchPricePence,
        trialEndsAt,
        periodEndsAt: trialEndsAt,
        cancelAt: null,
      },
    ]);
  });

  test('a receipt still knows its browser after a restart and a new session secret', async ({
    newShop,
    sandbox,
  }) => {
    const [old, fresh] = ['o'.repeat(40), 'n'.repeat(40)];
    const before = await newShop({ settings: { SESSION_SECRET: old } });
    const opened = await openCheckout(before);
    const id = sessionOf(opened.body.url);
    sandbox.stripe.completeCheckout(id, { email: VISITOR, name: 'Priya Raman' });
    const nameAt = async (secrets: string) => {
      const shop = await newShop({ settings: { SESSION_SECRET: secrets } });
      return (await shop.get(`/api/checkout/session/${id}`, { Cookie: cookieOf(opened) })).body
        .receipt.name;
    };

    expect([await nameAt(old), await nameAt(`${fresh},${old}`), await nameAt(fresh)]).toEqual([
      'Priya Raman',
      'Priya Raman',
      'P•••',
    ]);
  });

  test('a receipt names Stripe’s VAT, and masks the tax id for others', async ({
    newShop,
    sandbox,
    db,
  }) => {
    const shop = await newShop({ settings: { STRIPE_AUTOMATIC_TAX: 'true' } });
    // This person had a trial, so they pay today.
    await storeSubscription(db, { email: VISITOR, status: 'canceled' });
    const opened = await openCheckout(shop);
    const id = sessionOf(opened.body.url);
    sandbox.stripe.completeCheckout(id, {
      email: VISITOR,
      name: 'Priya Raman',
      taxId: 'GB123456789',
    });

    const own = await shop.get(`/api/checkout/session/${id}`, { Cookie: cookieOf(opened) });
    const other = await shop.get(`/api/checkout/session/${id}`);

    const vat = Math.round(OFFER.launchPricePence / 6);
    expect(own.body.receipt).toMatchObject({
      paidTodayPence: OFFER.launchPricePence,
      vat: { paidTodayPence: vat, taxIds: ['GB123456789'] },
    });
    expect(other.body.receipt.vat).toEqual({ paidTodayPence: vat, taxIds: ['G•••'] });
  });

  test('a receipt shows name and email in full only to the paying browser, for a day', async ({
    newShop,
    sandbox,
  }) => {
    const shop = await newShop({ settings: { PUBLIC_URL: 'https://site.example' } });
    const own = await openCheckout(shop, {}, { 'Idempotency-Key': 'own' });
    const other = await openCheckout(
      shop,
      {},
      { 'Idempotency-Key': 'other', Cookie: cookieOf(own) },
    );
    const id = sessionOf(own.body.url);
    sandbox.stripe.completeCheckout(id, { email: VISITOR, name: 'Priya Raman' });
    const read = async (headers: Record<string, string>) =>
      (await shop.get(`/api/checkout/session/${id}`, headers)).body.receipt;

    const masked = { name: 'P•••', email: 'P•••@a•••' };
    const full = { name: 'Priya Raman', email: 'Priya@acquirers.example' };
    expect(await read({ Cookie: `a=1; ${cookieOf(own)}` })).toMatchObject(full);
    // The same browser's second checkout.
    expect(await read({ Cookie: cookieOf(other) })).toMatchObject(full);
    expect(await read({})).toMatchObject(masked);
    expect(await read({ Cookie: `receipts=${id}` })).toMatchObject(masked);
    expect(
      await read({ Cookie: cookieOf(await openCheckout(shop, {}, { 'Idempotency-Key': 'x' })) }),
    ).toMatchObject(masked);
    expect(own.headers.get('Set-Cookie')).toMatch(
      /; Max-Age=86400; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('nothing is stored about an erased person when an old receipt is opened', async ({
    shop,
    sandbox,
    db,
  }) => {
    const { id, subscription } = await pay(shop, sandbox, { email: VISITOR });
    await shop.get(`/api/checkout/session/${id}`);
    await shop.stripe.subscriptions.cancel(subscription.id);
    const person = await findPerson(db, VISITOR);
    await erasePerson(db, person);

    const reopened = await shop.get(`/api/checkout/session/${id}`);

    expect(reopened).toMatchObject({ status: 200, body: { state: 'confirmed' } });
    const kept = await readHeldRows(db, person);
    expect(Object.values(kept).flat()).toEqual([]);
  });

  test('a receipt shows what was charged without a trial, and the price after the coupon', async ({
    shop,
    sandbox,
    db,
  }) => {
    await storeSubscription(db, { email: VISITOR, status: 'canceled' });
    const opened = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: VISITOR });
    const id = sessionOf(opened.body.url);
    sandbox.stripe.completeCheckout(id, { email: VISITOR });

    const { body } = await shop.get(`/api/checkout/session/${id}`);

    const pence = upsellPricePence('launch', 'annual25');
    expect(pence).toBeLessThan(listPricePence('launch', 'annual'));
    expect(body.receipt).toMatchObject({
      interval: 'annual',
      amountPence: pence,
      paidTodayPence: pence,
      firstChargeAt: null,
    });
    expect(await db('subscriptions').where({ status: 'active' }).first()).toMatchObject({
      plan: 'annual',
      coupon: 'annual25',
      amountPence: pence,
    });
  });

  test.for(['cs_test_unknown', 'sub_1', 'cs_test_a%2F..%2Fb', '%00'])(
    'the checkout %s is not found',
    async (id, { shop }) => {
      expect(await shop.get(`/api/checkout/session/${id}`)).toMatchObject({
        status: 404,
        body: { state: 'not-found' },
      });
    },
  );

  test('another product’s checkout is not found, and stores nothing', async ({
    shop,
    sandbox,
    db,
  }) => {
    const id = await payForMugs(shop, sandbox, VISITOR);

    const answer = await shop.get(`/api/checkout/session/${id}`);

    expect(answer).toMatchObject({ status: 404, body: { state: 'not-found' } });
    expect(await db('subscriptions')).toEqual([]);
    expect(await db('leads')).toEqual([]);
  });

  test('an expired checkout is not finished, and cannot be continued', async ({ shop }) => {
    const opened = await openCheckout(shop);
    const id = sessionOf(opened.body.url);
    await shop.stripe.checkout.sessions.expire(id);

    const answer = await shop.get(`/api/checkout/session/${id}`, { Cookie: cookieOf(opened) });

    expect(answer).toMatchObject({
      status: 200,
      body: { state: 'unfinished', url: null, isExpired: true },
    });
  });

  test('a checkout’s state is answered with 503 while Stripe fails', async ({ shop, sandbox }) => {
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 503 });

    const answer = await shop.get('/api/checkout/session/cs_test_a1');

    expect(answer).toMatchObject({ status: 503, body: { type: 'urn:problem:stripe-unavailable' } });
  });
});

test('polling for a receipt does not use up the limit on opening checkouts', async ({
  limitedShop: shop,
}) => {
  const click = () => openCheckout(shop);
  const id = sessionOf((await click()).body.url);
  const asked: number[] = [];
  for (let poll = 0; poll < 22; poll += 1)
    asked.push((await shop.get(`/api/checkout/session/${id}`)).status);

  const clicks: number[] = [];
  for (let each = 0; each < 10; each += 1) clicks.push((await click()).status);

  expect(new Set(asked)).toEqual(new Set([200]));
  expect(clicks).toEqual([...Array.from({ length: 9 }, () => 200), 429]);
});

test('polling for a receipt has a limit of its own', async ({ limitedShop: shop }) => {
  const answers = await Promise.all(
    Array.from({ length: 121 }, () => shop.get('/api/checkout/session/unknown')),
  );

  expect(answers.filter(({ status }) => status === 404)).toHaveLength(120);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
});
