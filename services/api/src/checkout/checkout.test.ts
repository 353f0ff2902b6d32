import { storeLead } from '@site/testing/builders';
import { createDatabase } from '@site/platform/database/connect';
import { checkoutUrlAnswer } from '@site/schema/checkout';
import { OFFER } from '@site/schema/offer';
import { problemDocument } from '@site/schema/problem';
import type { Sandbox } from '@site/sandbox/sandbox';
import { describe, expect } from 'vitest';
import { STRIPE_PRODUCT_ID } from '../stripe/catalog.ts';
import { openShop, sessionOf, test } from '../testing/shop.fixture.ts';
import { storeSubscription } from '../testing/subscription.fixture.ts';

const EMAIL = 'Priya@acquirers.example';

const checkoutsOf = (sandbox: Sandbox) => sandbox.stripe.checkouts.newestFirst();

describe('POST /api/checkout/session', () => {
  test('opens a trial of the monthly price for the lead and comes back to the site', async ({ shop, sandbox, db }) => {
    const lead = await storeLead(db, { email: EMAIL });

    const answer = await shop.post('/api/checkout/session', { email: EMAIL, leadId: lead.id });

    expect(answer.status).toBe(200);
    const { url } = checkoutUrlAnswer.parse(answer.body);
    const [checkout] = checkoutsOf(sandbox);
    expect(url).toBe(checkout!.session.url);
    expect(checkout!.session).toMatchObject({
      mode: 'subscription',
      customer_email: EMAIL,
      client_reference_id: lead.id,
      metadata: { lead_id: lead.id },
      success_url: 'http://site.example/thank-you?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://site.example/?checkout=cancelled',
      locale: 'en-GB',
      payment_method_collection: 'always',
      adaptive_pricing: { enabled: false },
      discounts: [],
    });
    expect(checkout!.order).toMatchObject({
      trialPeriodDays: OFFER.trialDays,
      missingPaymentMethod: 'cancel',
      metadata: { lead_id: lead.id },
      coupon: null,
    });
    expect(checkout!.order.items).toMatchObject([
      { quantity: 1, price: { lookup_key: 'launch_monthly', unit_amount: OFFER.launchPricePence, currency: 'gbp' } },
    ]);
    expect(checkout!.session.custom_text.submit?.message).toContain('£239 every month');
  });

  test('a double click makes one session, also when the first click is still under way', async ({ shop, sandbox }) => {
    const click = () => shop.post('/api/checkout/session', { email: EMAIL });
    await click();
    sandbox.setFault({ target: 'stripe', mode: 'slow', delayMs: 200 });

    const answers = await Promise.all([click(), click(), click()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(checkoutsOf(sandbox)).toHaveLength(1);
  });

  test('two clicks at once make one session while Stripe is slow', async ({ shop, sandbox }) => {
    sandbox.setFault({ target: 'stripe', mode: 'slow', delayMs: 1_000 });
    const click = () => shop.post('/api/checkout/session', { email: EMAIL });

    const [first, second] = await Promise.all([click(), click()]);

    expect(first.status).toBe(200);
    expect(second.body.url).toBe(first.body.url);
    expect(checkoutsOf(sandbox)).toHaveLength(1);
  });

  test('a visitor whose session is over gets a fresh one', async ({ shop }) => {
    const first = await shop.post('/api/checkout/session', { email: EMAIL });
    await shop.stripe.checkout.sessions.expire(sessionOf(first.body.url));

    const second = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(second.status).toBe(200);
    expect(second.body.url).not.toBe(first.body.url);
  });

  test('another browser gets a session of its own', async ({ shop }) => {
    const first = await shop.post('/api/checkout/session', { email: EMAIL }, { 'User-Agent': 'one' });
    const second = await shop.post('/api/checkout/session', { email: EMAIL }, { 'User-Agent': 'another' });

    expect(second.body.url).not.toBe(first.body.url);
  });

  test.for<[string, unknown]>([
    ['no lead id', undefined],
    ['an id that is none', 'lead-1'],
    ['the id of no lead', '0190a000-0000-7000-8000-000000000000'],
  ])('%s: the newest pre_buy of the address in the last day is the lead', async ([, leadId], { shop, sandbox, db }) => {
    await storeLead(db, { email: EMAIL, submittedAt: new Date(Date.now() - 60_000) });
    const newest = await storeLead(db, { email: EMAIL.toLowerCase() });
    await storeLead(db, { email: EMAIL, formType: 'pre_sample' });
    await storeLead(db, { email: 'other@acquirers.example' });

    await shop.post('/api/checkout/session', { email: EMAIL, leadId });

    expect(checkoutsOf(sandbox)[0]!.session.client_reference_id).toBe(newest.id);
  });

  test('a lead of the day before yesterday is not this checkout’s', async ({ shop, sandbox, db }) => {
    await storeLead(db, { email: EMAIL, submittedAt: new Date(Date.now() - 25 * 3_600_000) });

    await shop.post('/api/checkout/session', { email: EMAIL });

    expect(checkoutsOf(sandbox)[0]!.session.client_reference_id).toBeNull();
  });

  test.for(['trialing', 'active', 'past_due'])(
    'an address whose subscription is %s is refused kindly',
    async (status, { shop, sandbox, db }) => {
      await storeSubscription(db, { email: EMAIL.toLowerCase(), status });

      const answer = await shop.post('/api/checkout/session', { email: EMAIL });

      expect(answer.status).toBe(409);
      expect(problemDocument.parse(answer.body)).toMatchObject({ type: 'urn:problem:already-subscribed' });
      expect(answer.body.detail).toContain(OFFER.supportEmail);
      expect(checkoutsOf(sandbox)).toHaveLength(0);
    },
  );

  test('an address with a past subscription pays from the first day, and is told so', async ({ shop, sandbox, db }) => {
    await storeSubscription(db, { email: EMAIL, status: 'canceled' });

    const answer = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(answer.status).toBe(200);
    const [checkout] = checkoutsOf(sandbox);
    expect(checkout!.order.trialPeriodDays).toBeNull();
    expect(checkout!.session.amount_total).toBe(OFFER.launchPricePence);
    expect(checkout!.session.custom_text.submit?.message).toContain('the first payment is taken today');
  });

  test('a bad address is named, and Stripe is not asked', async ({ shop, sandbox }) => {
    const before = sandbox.stripe.requests().length;

    const answer = await shop.post('/api/checkout/session', { email: 'priya' });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ field: 'email' }]);
    expect(sandbox.stripe.requests()).toHaveLength(before);
  });

  test('a sale does not wait for Postgres', async ({ redisUrl, redisPrefix, sandbox, onTestFinished }) => {
    const db = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/nowhere' });
    const shop = await openShop({ db, redisUrl, redisPrefix, sandbox });
    onTestFinished(async () => {
      await shop.close();
      await db.destroy();
    });

    const answer = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(answer.status).toBe(200);
  });
});

describe('Stripe out of order', () => {
  test('a Stripe that hangs is given up within the deadline', async ({
    db,
    redisUrl,
    redisPrefix,
    sandbox,
    onTestFinished,
  }) => {
    const shop = await openShop({ db, redisUrl, redisPrefix, sandbox }, { checkoutDeadlineMs: 300 });
    onTestFinished(() => shop.close());
    sandbox.setFault({ target: 'stripe', mode: 'hang' });
    const startedAt = performance.now();

    const answer = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(answer.status).toBe(503);
    expect(problemDocument.parse(answer.body)).toMatchObject({ type: 'urn:problem:stripe-unavailable' });
    expect(answer.headers.get('Retry-After')).toBe('5');
  });

  test.for([
    { mode: 'status', status: 500 },
    { mode: 'status', status: 401 },
    { mode: 'rate-limit' },
    { mode: 'garbage' },
    { mode: 'before-reset' },
  ] as const)('$mode $status is the same problem, without a word of Stripe’s', async (fault, { shop, sandbox }) => {
    sandbox.setFault({ target: 'stripe', ...fault });

    const answer = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(answer.status).toBe(503);
    expect(Object.keys(answer.body).sort()).toEqual(['detail', 'requestId', 'status', 'title', 'type']);
    expect(answer.body.detail).toBe('Nothing was charged. Please try again in a moment, or contact support.');
  });

  test.for([
    { mode: 'before-reset', times: 1 },
    { mode: 'slow', delayMs: 300 },
  ] as const)(
    'a call that meets $mode once is made good, and the visitor gets their checkout',
    async (fault, { shop, sandbox }) => {
      sandbox.setFault({ target: 'stripe', ...fault });

      const answer = await shop.post('/api/checkout/session', { email: EMAIL });

      expect(answer.status).toBe(200);
      expect(checkoutsOf(sandbox)).toHaveLength(1);
    },
  );

  test('who met a Stripe that failed gets a checkout once it is well, and one only', async ({ shop, sandbox }) => {
    const click = () => shop.post('/api/checkout/session', { email: EMAIL }, { 'Idempotency-Key': 'one visitor' });
    // The prices are known before Stripe fails.
    await shop.post('/api/checkout/upsell', { plan: 'monthly15' });
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    const failed = [await click(), await click()];
    sandbox.setFault({ target: 'stripe', mode: 'ok' });

    const answers = [await click(), await click()];

    expect(failed.map(({ status }) => status)).toEqual([503, 503]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(checkoutsOf(sandbox).filter(({ session }) => session.customer_email === EMAIL)).toHaveLength(1);
  });

  test('prices that are not set up are the same problem, and are found once they are', async ({
    db,
    redisUrl,
    redisPrefix,
    sandbox,
    onTestFinished,
  }) => {
    const shop = await openShop({ db, redisUrl, redisPrefix, sandbox }, { isSetUp: false });
    onTestFinished(() => shop.close());
    const before = await shop.post('/api/checkout/session', { email: EMAIL });

    const setUp = await openShop({ db, redisUrl, redisPrefix, sandbox });
    await setUp.close();
    const after = await shop.post('/api/checkout/session', { email: EMAIL });

    expect([before.status, after.status]).toEqual([503, 200]);
  });

  test('a remembered price that was retired is looked up again', async ({ shop, sandbox }) => {
    await shop.post('/api/checkout/session', { email: EMAIL });
    const [old] = (await shop.stripe.prices.list({ lookup_keys: ['launch_monthly'] })).data;
    const fresh = await shop.stripe.prices.create({
      product: STRIPE_PRODUCT_ID,
      currency: 'gbp',
      unit_amount: 24_000,
      recurring: { interval: 'month' },
      lookup_key: 'launch_monthly',
      transfer_lookup_key: true,
    });
    await shop.stripe.prices.update(old!.id, { active: false });

    const answer = await shop.post('/api/checkout/session', { email: 'sam@acquirers.example' });

    expect(answer.status).toBe(200);
    expect(checkoutsOf(sandbox)[0]!.order.items[0]!.price.id).toBe(fresh.id);
  });

  test('a price of another product under our key is not sold', async ({ shop, sandbox }) => {
    const other = await shop.stripe.products.create({ name: 'Mug' });
    await shop.stripe.prices.create({
      product: other.id,
      currency: 'gbp',
      unit_amount: 100,
      recurring: { interval: 'month' },
      lookup_key: 'launch_monthly',
      transfer_lookup_key: true,
    });

    const answer = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(answer.status).toBe(503);
    expect(checkoutsOf(sandbox)).toHaveLength(0);
  });
});

describe('POST /api/checkout/upsell', () => {
  test.for([
    { plan: 'monthly15', interval: 'month' },
    { plan: 'annual25', interval: 'year' },
  ] as const)(
    '$plan lowers the price by its coupon, and cancels back to the sample page',
    async ({ plan, interval }, { shop, sandbox }) => {
      const answer = await shop.post('/api/checkout/upsell', { plan, email: EMAIL });

      expect(answer.status).toBe(200);
      const [checkout] = checkoutsOf(sandbox);
      expect(checkout!.session).toMatchObject({
        customer_email: EMAIL,
        discounts: [{ coupon: plan }],
        cancel_url: 'http://site.example/sample-sent',
        allow_promotion_codes: null,
      });
      expect(checkout!.order).toMatchObject({
        trialPeriodDays: OFFER.trialDays,
        coupon: { duration: 'forever' },
        items: [{ price: { recurring: { interval } } }],
      });
    },
  );

  test.for([undefined, 'not an address', 42, null])(
    'the address %s is left for Stripe to ask',
    async (email, { shop, sandbox }) => {
      const answer = await shop.post('/api/checkout/upsell', { plan: 'annual25', email });

      expect(answer.status).toBe(200);
      expect(checkoutsOf(sandbox)[0]!.session.customer_email).toBeNull();
    },
  );

  test('visitors without an address never share a session', async ({ shop, sandbox }) => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => shop.post('/api/checkout/upsell', { plan: 'annual25' })),
    );

    expect(first!.body.url).not.toBe(second!.body.url);
    expect(checkoutsOf(sandbox)).toHaveLength(2);
  });

  test('an unknown plan is refused', async ({ shop }) => {
    const answer = await shop.post('/api/checkout/upsell', { plan: 'weekly5' });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ field: 'plan' }]);
  });

  test('a live subscriber is refused here too', async ({ shop, db }) => {
    await storeSubscription(db, { email: EMAIL, status: 'active' });

    const answer = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: EMAIL });

    expect(answer.status).toBe(409);
  });

  test('names the portal where there is one', async ({ db, redisUrl, redisPrefix, sandbox, onTestFinished }) => {
    const settings = { STRIPE_PORTAL_LOGIN_URL: 'https://billing.example/p/login/1' };
    const shop = await openShop({ db, redisUrl, redisPrefix, sandbox }, { settings });
    onTestFinished(() => shop.close());
    await storeSubscription(db, { email: EMAIL, status: 'active' });

    const answer = await shop.post('/api/checkout/session', { email: EMAIL });

    expect(answer.body.detail).toContain('https://billing.example/p/login/1');
  });
});
