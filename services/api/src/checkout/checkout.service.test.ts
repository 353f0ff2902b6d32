import { storeLead } from '@site/testing/builders';
import { checkoutUrlAnswer } from '@site/schema/calls/visitor';
import { OFFER } from '@site/schema/offer';
import { problemDocument } from '@site/schema/calls/call';
import type { Sandbox } from '@site/sandbox/sandbox';
import { describe, expect } from 'vitest';
import { STRIPE_PRODUCT_ID } from '../stripe/catalog.ts';
import { readStripeFailures } from '@site/platform/health/money-health';
import {
  openCheckout,
  sessionOf,
  test,
  unreachableDatabase,
  VISITOR,
} from '../testing/shop.fixture.ts';
import type { Shop } from '../testing/shop.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

/** Moves our lookup key to a new price of a product. */
const replaceMonthlyPrice = (shop: Shop, product: string) =>
  shop.stripe.prices.create({
    product,
    currency: 'gbp',
    unit_amount: 24_000,
    recurring: { interval: 'month' },
    lookup_key: 'launch_monthly',
    transfer_lookup_key: true,
  });

const checkoutsOf = (sandbox: Sandbox) => sandbox.stripe.checkouts.newestFirst();

describe('POST /api/checkout/session', () => {
  test('a checkout opens with a trial of the monthly price', async ({ shop, sandbox, db }) => {
    const lead = await storeLead(db, { email: VISITOR });

    const answer = await openCheckout(shop, { leadId: lead.id });

    expect(answer.status).toBe(200);
    const { url } = checkoutUrlAnswer.parse(answer.body);
    const [checkout] = checkoutsOf(sandbox);
    expect(url).toBe(checkout!.session.url);
    expect(checkout!.session).toMatchObject({
      mode: 'subscription',
      customer_email: VISITOR,
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
      {
        quantity: 1,
        price: {
          lookup_key: 'launch_monthly',
          unit_amount: OFFER.launchPricePence,
          currency: 'gbp',
        },
      },
    ]);
    expect(checkout!.session.custom_text.submit?.message).toContain('£239 every month');
  });

  test('a double click opens one session, even while the first click is unanswered', async ({
    shop,
    sandbox,
  }) => {
    const click = () => openCheckout(shop);
    await click();
    sandbox.setFault({ target: 'stripe', mode: 'slow', delayMs: 200 });

    const answers = await Promise.all([click(), click(), click()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(checkoutsOf(sandbox)).toHaveLength(1);
  });

  test('a visitor whose session has expired gets a new one', async ({ shop }) => {
    const first = await openCheckout(shop);
    await shop.stripe.checkout.sessions.expire(sessionOf(first.body.url));

    const second = await openCheckout(shop);

    expect(second.status).toBe(200);
    expect(second.body.url).not.toBe(first.body.url);
  });

  test('another browser gets a separate session', async ({ shop }) => {
    const first = await openCheckout(shop, {}, { 'User-Agent': 'one' });
    const second = await openCheckout(shop, {}, { 'User-Agent': 'another' });

    expect(second.body.url).not.toBe(first.body.url);
  });

  test.for<[string, unknown]>([
    ['no lead id', undefined],
    ['an invalid lead id', 'lead-1'],
    ['an unknown lead id', '0190a000-0000-7000-8000-000000000000'],
  ])(
    'with %s, the checkout belongs to the email’s newest pre_buy of the last day',
    async ([, leadId], { shop, sandbox, db }) => {
      await storeLead(db, { email: VISITOR, submittedAt: new Date(Date.now() - 60_000) });
      const newest = await storeLead(db, { email: VISITOR.toLowerCase() });
      await storeLead(db, { email: VISITOR, formType: 'pre_sample' });
      await storeLead(db, { email: 'other@acquirers.example' });

      await openCheckout(shop, { leadId });

      expect(checkoutsOf(sandbox)[0]!.session.client_reference_id).toBe(newest.id);
    },
  );

  test('a lead older than a day does not get the checkout', async ({ shop, sandbox, db }) => {
    await storeLead(db, { email: VISITOR, submittedAt: new Date(Date.now() - 25 * 3_600_000) });

    await openCheckout(shop);

    expect(checkoutsOf(sandbox)[0]!.session.client_reference_id).toBeNull();
  });

  test.for(['trialing', 'active', 'past_due'])(
    'a checkout for an email whose subscription is %s is refused',
    async (status, { shop, sandbox, db }) => {
      await storeSubscription(db, { email: VISITOR.toLowerCase(), status });

      const answer = await openCheckout(shop);

      expect(answer.status).toBe(409);
      expect(problemDocument.parse(answer.body)).toMatchObject({
        type: 'urn:problem:already-subscribed',
      });
      expect(answer.body.detail).toContain(OFFER.supportEmail);
      expect(checkoutsOf(sandbox)).toHaveLength(0);
    },
  );

  describe('that an email has a subscription', () => {
    const from = (ip: string) => ({ 'X-Forwarded-For': ip });
    const settings = { TRUST_PROXY: '1', RATE_LIMIT_LEADS_PER_MINUTE: '1000' };

    test('a client learns of a subscription five times an hour, then of no email', async ({
      newShop,
      db,
    }) => {
      const shop = await newShop({ settings });
      const told: number[] = [];
      for (let n = 0; n <= 5; n++) {
        const email = `reader${n}@acquirers.example`;
        await storeSubscription(db, { email });
        told.push((await openCheckout(shop, { email }, from(`2001:db8:0:1:${n}::1`))).status);
      }

      expect(told).toEqual([...Array<number>(5).fill(409), 429]);
      expect((await openCheckout(shop, {}, from('2001:db8:0:1::99'))).status).toBe(429);
      expect((await openCheckout(shop, {}, from('203.0.113.9'))).status).toBe(200);
    });

    test('an email’s subscription is disclosed five times an hour in all', async ({
      newShop,
      db,
    }) => {
      const shop = await newShop({ settings });
      await storeSubscription(db, { email: VISITOR.toLowerCase() });
      const told: number[] = [];
      for (let n = 0; n <= 5; n++)
        told.push((await openCheckout(shop, {}, from(`10.0.0.${n}`))).status);

      expect(told).toEqual([...Array<number>(5).fill(409), 429]);
      expect(
        (await openCheckout(shop, { email: 'other@acquirers.example' }, from('10.0.0.1'))).status,
      ).toBe(200);
    });

    test('of ten checkouts at once five are answered, and the rest refused alike', async ({
      newShop,
      db,
    }) => {
      const shop = await newShop({ settings });
      const emails = Array.from({ length: 10 }, (_, n) => `reader${n}@acquirers.example`);
      for (const email of emails.slice(0, 8)) await storeSubscription(db, { email });

      const answers = await Promise.all(
        emails.map((email) => openCheckout(shop, { email }, from('203.0.113.9'))),
      );

      expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    });

    test('that an email has had its trial counts in the same limit', async ({ newShop, db }) => {
      const shop = await newShop({ settings });
      const told: number[] = [];
      for (let n = 0; n <= 5; n++) {
        const email = `reader${n}@acquirers.example`;
        await storeSubscription(db, { email, status: n < 2 ? 'active' : 'canceled' });
        told.push((await openCheckout(shop, { email }, from('203.0.113.9'))).status);
      }

      expect(told).toEqual([409, 409, 200, 200, 200, 429]);
    });

    test('a checkout that discloses nothing uses up no limit', async ({ newShop, sandbox, db }) => {
      const shop = await newShop({ settings });
      const open = async (email: string) =>
        (
          await openCheckout(
            shop,
            { email },
            from(email === VISITOR ? '203.0.113.9' : '203.0.113.8'),
          )
        ).status;
      const told: number[] = [];
      for (let n = 0; n <= 5; n++) told.push(await open('new@acquirers.example'));
      await storeSubscription(db, { email: VISITOR.toLowerCase(), status: 'canceled' });
      sandbox.setFault({ target: 'stripe', mode: 'status', status: 503 });
      for (let n = 0; n <= 5; n++) told.push(await open(VISITOR));
      sandbox.setFault({ target: 'stripe', mode: 'ok' });
      told.push(await open(VISITOR));

      expect(told).toEqual([...Array<number>(6).fill(200), ...Array<number>(6).fill(503), 200]);
    });
  });

  test('an email with a past subscription pays at once, as the payment page shows', async ({
    shop,
    sandbox,
    db,
  }) => {
    await storeSubscription(db, { email: VISITOR, status: 'canceled' });

    const answer = await openCheckout(shop);

    expect(answer.status).toBe(200);
    const [checkout] = checkoutsOf(sandbox);
    expect(checkout!.order.trialPeriodDays).toBeNull();
    expect(checkout!.session.amount_total).toBe(OFFER.launchPricePence);
    expect(checkout!.session.custom_text.submit?.message).toContain(
      'the first payment is taken today',
    );
  });

  test('an invalid email is refused by field, without a request to Stripe', async ({
    shop,
    sandbox,
  }) => {
    const before = sandbox.stripe.requests().length;

    const answer = await openCheckout(shop, { email: 'priya' });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ field: 'email' }]);
    expect(sandbox.stripe.requests()).toHaveLength(before);
  });

  test('a checkout collects tax, billing address, tax id and codes if set', async ({
    newShop,
    sandbox,
  }) => {
    const shop = await newShop({
      settings: { STRIPE_AUTOMATIC_TAX: 'true', STRIPE_PROMOTION_CODES: 'true' },
    });

    const plain = await openCheckout(shop);
    const upsell = await shop.post('/api/checkout/upsell', { plan: 'annual25' });

    expect([plain.status, upsell.status]).toEqual([200, 200]);
    const [second, first] = checkoutsOf(sandbox);
    const tax = {
      automatic_tax: { enabled: true },
      billing_address_collection: 'required',
    };
    expect(first!.session).toMatchObject({ ...tax, allow_promotion_codes: true });
    expect(second!.session).toMatchObject({
      ...tax,
      allow_promotion_codes: null,
      discounts: [{ coupon: 'annual25' }],
    });
  });

  test('a checkout asks for acceptance of the terms only while Stripe can', async ({
    newShop,
    sandbox,
    db,
  }) => {
    const shop = await newShop({ settings: { TERMS_URL: 'https://owner.example/terms' } });
    const consentOf = () =>
      checkoutsOf(sandbox)[0]!.session.consent_collection?.terms_of_service ?? null;
    const open = async (key: string) => {
      const { status } = await openCheckout(shop, {}, { 'Idempotency-Key': key });
      return [status, consentOf()];
    };
    const asked = await open('b');
    sandbox.stripe.billing.hasTerms = false;
    const refused = await open('c');
    const requests = sandbox.stripe.requests().length;
    const later = await open('d');

    expect([asked, refused, later]).toEqual([
      [200, 'required'],
      [200, null],
      [200, null],
    ]);
    expect(sandbox.stripe.requests()).toHaveLength(requests + 1);
    expect(
      (await readStripeFailures(db)).find(({ failure }) => failure === 'terms-refused')?.count,
    ).toBe(1);
  });

  test('an email that Stripe refuses is refused by field', async ({ shop, sandbox }) => {
    const answer = await openCheckout(shop, { email: 'zoë@acquirers.example' });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { field: 'email', message: 'The payment page does not accept this address' },
    ]);
    expect(checkoutsOf(sandbox)).toHaveLength(0);
  });

  test('a checkout opens while Postgres is unreachable', async ({ newShop }) => {
    const shop = await newShop({ parts: { db: unreachableDatabase() } });

    const answer = await openCheckout(shop);

    expect(answer.status).toBe(200);
  });
});

describe('a checkout while Stripe fails', () => {
  test('a checkout is answered with 503 within the deadline when Stripe hangs', async ({
    newShop,
    sandbox,
  }) => {
    const shop = await newShop({ checkoutDeadlineMs: 300 });
    sandbox.setFault({ target: 'stripe', mode: 'hang' });
    const startedAt = performance.now();

    const answer = await openCheckout(shop);

    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(answer.status).toBe(503);
    expect(problemDocument.parse(answer.body)).toMatchObject({
      type: 'urn:problem:stripe-unavailable',
    });
    expect(answer.headers.get('Retry-After')).toBe('5');
  });

  test.for([
    { mode: 'status', status: 500 },
    { mode: 'status', status: 401 },
    { mode: 'rate-limit' },
    { mode: 'garbage' },
    { mode: 'before-reset' },
  ] as const)(
    'a checkout is answered with 503 without Stripe’s own words on $mode $status',
    async (failure, { shop, sandbox }) => {
      sandbox.setFault({ target: 'stripe', ...failure });

      const answer = await openCheckout(shop);

      expect(answer.status).toBe(503);
      expect(Object.keys(answer.body).sort()).toEqual([
        'detail',
        'requestId',
        'status',
        'title',
        'type',
      ]);
      expect(answer.body.detail).toBe(
        'Nothing was charged. Please try again in a moment, or contact support.',
      );
    },
  );

  test.for([
    { mode: 'before-reset', times: 1 },
    { mode: 'slow', delayMs: 300 },
  ] as const)(
    'a checkout’s call that meets $mode is retried once, and opens one session',
    async (failure, { shop, sandbox }) => {
      sandbox.setFault({ target: 'stripe', ...failure });

      const answer = await openCheckout(shop);

      expect(answer.status).toBe(200);
      expect(checkoutsOf(sandbox)).toHaveLength(1);
    },
  );

  test('a checkout opens exactly one session once Stripe has recovered', async ({
    shop,
    sandbox,
  }) => {
    const click = () => openCheckout(shop, {}, { 'Idempotency-Key': 'one visitor' });
    // Caches the prices before Stripe fails.
    await shop.post('/api/checkout/upsell', { plan: 'monthly15' });
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    const failed = [await click(), await click()];
    sandbox.setFault({ target: 'stripe', mode: 'ok' });

    const answers = [await click(), await click()];

    expect(failed.map(({ status }) => status)).toEqual([503, 503]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(
      checkoutsOf(sandbox).filter(({ session }) => session.customer_email === VISITOR),
    ).toHaveLength(1);
  });

  test('a checkout that did not open is kept once, with its reason', async ({
    newShop,
    sandbox,
    db,
  }) => {
    const shop = await newShop({ checkoutDeadlineMs: 500 });
    const lead = await storeLead(db, { email: VISITOR, sessionId: 'visit-1' });
    const kept = () =>
      db('checkouts').select('email', 'leadId', 'state', 'hindrance', 'plan', 'amountPence');
    const checkout = {
      email: VISITOR,
      leadId: lead.id,
      state: 'not-opened',
      plan: 'monthly',
      amountPence: OFFER.launchPricePence,
    };

    sandbox.setFault({ target: 'stripe', mode: 'hang' });
    expect((await openCheckout(shop)).status).toBe(503);
    expect(await kept()).toEqual([{ ...checkout, hindrance: 'stripe-away' }]);
    await db('checkouts').update({ contactedAt: new Date() });

    sandbox.setFault({ target: 'stripe', mode: 'status', status: 401 });
    expect((await openCheckout(shop, { email: VISITOR.toUpperCase() })).status).toBe(503);
    expect(await kept()).toEqual([{ ...checkout, hindrance: 'wrong-setting' }]);
    expect(await db('checkouts').first('visits', 'contactedAt')).toMatchObject({
      visits: expect.arrayContaining(['visit-1']),
      contactedAt: null,
    });
  });

  test('a checkout refused with 409 or 422 is not kept, nor one without an email', async ({
    newShop,
    sandbox,
    db,
  }) => {
    const shop = await newShop();
    await storeSubscription(db, { email: VISITOR, status: 'active' });

    expect((await openCheckout(shop)).status).toBe(409);
    expect((await openCheckout(shop, { email: 'zoë@acquirers.example' })).status).toBe(422);
    sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
    const upsell = { plan: 'annual25' };
    expect((await shop.post('/api/checkout/upsell', upsell)).status).toBe(503);

    expect(await db('checkouts')).toEqual([]);
  });

  test('a checkout is answered with 503 until the prices are set up', async ({ newShop, db }) => {
    const shop = await newShop({ isSetUp: false });
    const before = await openCheckout(shop);
    expect(await db('checkouts').pluck('hindrance')).toEqual(['wrong-setting']);

    await newShop();
    const after = await openCheckout(shop);

    expect([before.status, after.status]).toEqual([503, 200]);
  });

  test('a checkout looks a price up again when the cached one was retired', async ({
    shop,
    sandbox,
  }) => {
    await openCheckout(shop);
    const [old] = (await shop.stripe.prices.list({ lookup_keys: ['launch_monthly'] })).data;
    const fresh = await replaceMonthlyPrice(shop, STRIPE_PRODUCT_ID);
    await shop.stripe.prices.update(old!.id, { active: false });

    const answer = await openCheckout(shop, { email: 'sam@acquirers.example' });

    expect(answer.status).toBe(200);
    expect(checkoutsOf(sandbox)[0]!.order.items[0]!.price.id).toBe(fresh.id);
  });

  test('a checkout does not sell another product’s price under our lookup key', async ({
    shop,
    sandbox,
  }) => {
    const other = await shop.stripe.products.create({ name: 'Mug' });
    await replaceMonthlyPrice(shop, other.id);

    const answer = await openCheckout(shop);

    expect(answer.status).toBe(503);
    expect(checkoutsOf(sandbox)).toHaveLength(0);
  });
});

describe('POST /api/checkout/upsell', () => {
  test.for([
    { plan: 'monthly15', interval: 'month' },
    { plan: 'annual25', interval: 'year' },
  ] as const)(
    'the upsell $plan applies its coupon, and cancelling returns to the sample page',
    async ({ plan, interval }, { shop, sandbox }) => {
      const answer = await shop.post('/api/checkout/upsell', { plan, email: VISITOR });

      expect(answer.status).toBe(200);
      const [checkout] = checkoutsOf(sandbox);
      expect(checkout!.session).toMatchObject({
        customer_email: VISITOR,
        discounts: [{ coupon: plan }],
        cancel_url: 'http://site.example/sample-sent?checkout=cancelled',
        allow_promotion_codes: null,
      });
      expect(checkout!.order).toMatchObject({
        trialPeriodDays: OFFER.trialDays,
        coupon: { duration: 'forever' },
        items: [{ price: { recurring: { interval } } }],
      });
    },
  );

  test.for([undefined, 'not an email', 42, null, 'zoë@acquirers.example'])(
    'with the email %s, Stripe asks for an email in an upsell',
    async (email, { shop, sandbox }) => {
      const answer = await shop.post('/api/checkout/upsell', { plan: 'annual25', email });

      expect(answer.status).toBe(200);
      expect(checkoutsOf(sandbox)[0]!.session.customer_email).toBeNull();
    },
  );

  test('visitors without an email never share an upsell’s session', async ({ shop, sandbox }) => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => shop.post('/api/checkout/upsell', { plan: 'annual25' })),
    );

    expect(first!.body.url).not.toBe(second!.body.url);
    expect(checkoutsOf(sandbox)).toHaveLength(2);
  });

  test('an upsell of an unknown plan is refused', async ({ shop }) => {
    const answer = await shop.post('/api/checkout/upsell', { plan: 'weekly5' });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ field: 'plan' }]);
  });

  test('an upsell for an email with a live subscription is refused', async ({ shop, db }) => {
    await storeSubscription(db, { email: VISITOR, status: 'active' });

    const answer = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: VISITOR });

    expect(answer.status).toBe(409);
  });

  test('an upsell for a subscriber’s email redirects to the portal', async ({ newShop, db }) => {
    const shop = await newShop({
      settings: { STRIPE_PORTAL_LOGIN_URL: 'https://billing.example/p/login/1' },
    });
    await storeSubscription(db, { email: VISITOR, status: 'active' });

    const answer = await openCheckout(shop);

    expect(answer.body.detail).toContain('https://billing.example/p/login/1');
  });
});
