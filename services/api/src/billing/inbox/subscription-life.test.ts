import { storeLead } from '@site/testing/builders';
import { OFFER, upsellPricePence } from '@site/schema/offer';
import type { Sandbox } from '@site/sandbox/sandbox';
import type Stripe from 'stripe';
import { describe, expect } from 'vitest';
import { listAbandoned } from '../../admin/money/abandoned.repository.ts';
import { openCheckout, sessionOf, test as base } from '../../testing/shop.fixture.ts';
import type { Shop } from '../../testing/shop.fixture.ts';

/** A shop to which Stripe delivers each event twice and in any order. */
const test = base.extend('shop', async ({ newShop, sandbox }) => {
  const shop = await newShop();
  sandbox.setApiUrl(shop.url);
  sandbox.stripe.setWebhookDisorder({ shuffle: true, duplicate: true });
  return shop;
});

const EMAIL = 'priya@acquirers.example';
const FAILS_LATER = '4000000000000341';
const DISPUTED = '4000000000000259';
const REFUND_FAILS = '4000000000005126';
const PRICE = OFFER.launchPricePence;

async function open(shop: Shop, body: object = {}): Promise<string> {
  const answer = await openCheckout(shop, { email: EMAIL, ...body });
  return sessionOf(answer.body.url);
}

async function subscribe(
  shop: Shop,
  sandbox: Sandbox,
  options: { cardNumber?: string; email?: string; leadId?: string } = {},
) {
  const { email = EMAIL, leadId, ...card } = options;
  const id = await open(shop, { leadId });
  sandbox.stripe.completeCheckout(id, { email, name: 'Priya Raman', ...card });
  await sandbox.stripe.webhooksSettled();
  return sandbox.stripe.subscriptions.newestFirst()[0]!;
}

async function advance(sandbox: Sandbox, days: number): Promise<void> {
  sandbox.stripe.advance({ days });
  await sandbox.stripe.webhooksSettled();
}

describe('a first payment that is never made', { tags: ['long'] }, () => {
  test('an abandoned authentication leaves the checkout open and stores nothing', async ({
    shop,
    sandbox,
    db,
  }) => {
    const id = await open(shop);
    const card = { email: EMAIL, cardNumber: '4000000000003220' };
    const outcomes = [
      sandbox.stripe.completeCheckout(id, card),
      sandbox.stripe.completeCheckout(id, { ...card, authentication: 'failed' }),
    ];
    await sandbox.stripe.webhooksSettled();
    const state = (await shop.get(`/api/checkout/session/${id}`)).body;
    const stored = await db('subscriptions');
    await advance(sandbox, 1);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['needs-authentication', 'refused']);
    expect([state, stored]).toEqual([{ state: 'unfinished', url: null, isExpired: false }, []]);
    expect(await db('checkouts')).toMatchObject([
      { stripeCheckoutSessionId: id, state: 'abandoned' },
    ]);
    expect([await db('subscriptions'), await db('people').whereNotNull('tier')]).toEqual([[], []]);
  });

  test('a dashboard subscription that is never paid counts for nothing', async ({
    shop,
    sandbox,
    db,
  }) => {
    const { stripe } = shop;
    const { data: prices } = await stripe.prices.list({ lookup_keys: ['launch_monthly'] });
    const customer = await stripe.customers.create({ email: EMAIL });
    const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
      customer: customer.id,
    });
    await stripe.subscriptions.create({
      customer: customer.id,
      default_payment_method: method.id,
      items: [{ price: prices[0]!.id }],
    });
    await sandbox.stripe.webhooksSettled();
    const waiting = await db('subscriptions');
    await advance(sandbox, 1);

    expect(waiting).toMatchObject([{ stage: 'incomplete', isLive: false }]);
    expect(await db('subscriptions')).toMatchObject([{ stage: 'ended', isLive: false }]);
    expect(await db('people').where({ tier: 'premium' })).toEqual([]);
    expect(await db('stripe_events').where({ outcome: 'parked' })).toEqual([]);
    // The email has had no trial yet.
    const id = await open(shop);
    expect(sandbox.stripe.checkouts.find(id)?.order.trialPeriodDays).toBe(OFFER.trialDays);
  });
});

describe('a year of a subscription', () => {
  test('a subscription starts with a trial, and is paid monthly', async ({ shop, sandbox, db }) => {
    const lead = await storeLead(db, { email: EMAIL, utmSource: 'top_sub' });
    await subscribe(shop, sandbox, { leadId: lead.id });
    const [trial] = await db('subscriptions');
    await advance(sandbox, 7);
    const [paying] = await db('subscriptions');

    await advance(sandbox, 365);

    expect(trial).toMatchObject({
      stage: 'trial',
      isLive: true,
      amountPence: PRICE,
      leadId: lead.id,
    });
    expect(paying).toMatchObject({ stage: 'paying', trialEndsAt: trial.trialEndsAt });
    expect(paying.periodEndsAt.getTime()).toBeGreaterThan(trial.periodEndsAt.getTime());
    const invoices = await db('stripe_invoices').orderBy('issuedAt');
    expect(invoices.map(({ status, paidPence }) => [status, paidPence])).toEqual([
      ['paid', 0],
      ...Array.from({ length: 13 }, () => ['paid', PRICE]),
    ]);
    expect(await db('subscriptions')).toMatchObject([
      { stage: 'paying', latestInvoiceId: invoices.at(-1).id },
    ]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tier: 'premium', tierVersion: 1 },
    ]);
    expect(await db('stripe_events').where({ outcome: 'parked' })).toEqual([]);
  });

  test('a failing card makes a subscription past due, then ends it and its tier', async ({
    shop,
    sandbox,
    db,
  }) => {
    await subscribe(shop, sandbox, { cardNumber: FAILS_LATER });

    await advance(sandbox, 7);
    const [dunned] = await db('subscriptions');
    await advance(sandbox, 15);

    expect(dunned).toMatchObject({ stage: 'dunning', isLive: true, paymentAttempts: 1 });
    expect(dunned.nextPaymentAttemptAt.getTime()).toBe(
      dunned.trialEndsAt.getTime() + 3 * 86_400_000,
    );
    expect(dunned.paymentUrl).toContain(dunned.latestInvoiceId);
    const failed = { paymentAttempts: 4, cancellationFeedback: 'payment_failed' };
    expect(await db('subscriptions')).toMatchObject([{ stage: 'ended', isLive: false, ...failed }]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tier: 'free', tierVersion: 2 },
    ]);
  });

  test('a subscription is suspended while unpaid, and resumes when the invoice is paid', async ({
    shop,
    sandbox,
    db,
  }) => {
    sandbox.stripe.billing.afterDunning = 'unpaid';
    const { id } = await subscribe(shop, sandbox, { cardNumber: FAILS_LATER });
    await advance(sandbox, 22);
    const [unpaid] = await db('subscriptions');
    const method = await shop.stripe.paymentMethods.attach('pm_card_visa', {
      customer: unpaid.stripeCustomerId,
    });
    await shop.stripe.subscriptions.update(id, { default_payment_method: method.id });

    await shop.stripe.invoices.pay(unpaid.latestInvoiceId);
    await sandbox.stripe.webhooksSettled();

    expect(unpaid).toMatchObject({ stage: 'suspended', isLive: false });
    expect(await db('subscriptions')).toMatchObject([{ stage: 'paying', paymentUrl: null }]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tier: 'premium', tierVersion: 3 },
    ]);
  });

  test('a coupon that applies once lowers the next charge, and never MRR', async ({
    shop,
    sandbox,
    db,
  }) => {
    const { id } = await subscribe(shop, sandbox);
    await shop.stripe.coupons.create({
      id: 'first',
      amount_off: 900,
      currency: 'gbp',
      duration: 'once',
    });
    await shop.stripe.subscriptions.update(id, { discounts: [{ coupon: 'first' }] });
    await sandbox.stripe.webhooksSettled();
    const [before] = await db('subscriptions');

    sandbox.stripe.advance({ days: 7 });
    await sandbox.stripe.webhooksSettled();

    expect(before).toMatchObject({
      coupon: 'first',
      amountPence: PRICE - 900,
      recurringPence: PRICE,
    });
    expect(await db('subscriptions')).toMatchObject([
      { coupon: null, amountPence: PRICE, recurringPence: PRICE },
    ]);
    expect(await db('stripe_invoices').where('paidPence', '>', 0)).toMatchObject([
      {
        paidPence: PRICE - 900,
        remainingPence: 0,
        currency: 'gbp',
        taxPence: 0,
      },
    ]);
  });

  test('a subscription keeps its discount and its plan for life', async ({ shop, sandbox, db }) => {
    const { body } = await shop.post('/api/checkout/upsell', { plan: 'annual25', email: EMAIL });
    const session = sessionOf(body.url);
    sandbox.stripe.completeCheckout(session, { email: EMAIL });

    await advance(sandbox, 7 + 366);

    expect(await db('subscriptions')).toMatchObject([
      { plan: 'annual', coupon: 'annual25', amountPence: 215_100, stage: 'paying' },
    ]);
    const paid = (await db('stripe_invoices').where('paidPence', '>', 0)).map(
      ({ paidPence }) => paidPence,
    );
    expect(paid).toEqual([215_100, 215_100]);
  });
});

describe('refunds and disputes', { tags: ['long'] }, () => {
  test('a refund that fails later counts as not refunded, with the reason', async ({
    shop,
    sandbox,
    db,
  }) => {
    await subscribe(shop, sandbox, { cardNumber: REFUND_FAILS });
    await advance(sandbox, 7);
    const [charge] = sandbox.stripe.charges.snapshot();
    const refund = await shop.stripe.refunds.create({ charge: charge!.id, amount: 1_000 });
    await sandbox.stripe.webhooksSettled();
    const [before] = await db('stripe_invoices').where({ stripeChargeId: charge!.id });

    await advance(sandbox, 1);

    expect(before).toMatchObject({ refundedPence: 1_000 });
    expect(await db('stripe_invoices').where({ stripeChargeId: charge!.id })).toMatchObject([
      { refundedPence: 0 },
    ]);
    expect(await db('stripe_refunds')).toMatchObject([
      {
        id: refund.id,
        amountPence: 1_000,
        status: 'failed',
        failureReason: 'expired_or_canceled_card',
      },
    ]);
  });

  test('a pause of collection is stored, and so is its end', async ({ shop, sandbox, db }) => {
    const { id } = await subscribe(shop, sandbox);
    const pause = async (to: NonNullable<Stripe.SubscriptionUpdateParams['pause_collection']>) => {
      await shop.stripe.subscriptions.update(id, { pause_collection: to });
      await sandbox.stripe.webhooksSettled();
      return (await db('subscriptions').first()).isCollectionPaused;
    };

    expect([await pause({ behavior: 'void' }), await pause('')]).toEqual([true, false]);
  });

  test('a dispute is stored with its reason and the date by which to answer', async ({
    shop,
    sandbox,
    db,
  }) => {
    await subscribe(shop, sandbox, { cardNumber: DISPUTED });

    await advance(sandbox, 7);
    const [open] = await db('stripe_disputes');
    await shop.stripe.disputes.update(open.id, {
      evidence: { uncategorized_text: 'They read every issue.' },
    });
    await sandbox.stripe.webhooksSettled();
    const [answered] = await db('stripe_disputes');
    await shop.stripe.disputes.close(open.id);
    await sandbox.stripe.webhooksSettled();

    expect(answered).toMatchObject({ id: open.id, status: 'under_review' });
    expect(open).toMatchObject({
      status: 'needs_response',
      reason: 'fraudulent',
      amountPence: PRICE,
    });
    expect(open.evidenceDueAt.getTime()).toBeGreaterThan(open.openedAt.getTime());
    expect(await db('stripe_disputes')).toMatchObject([{ id: open.id, status: 'lost' }]);
  });
});

test.for(['the end of the old one', 'the payment of the new one'])(
  'a recovered checkout without lead and email is not abandoned, %s first',
  async (first, { shop, sandbox, db }) => {
    const { body } = await shop.post('/api/checkout/upsell', { plan: 'annual25' });
    const left = sessionOf(body.url);
    sandbox.setWebhookUrl(null);
    const { after_expiration: after } = await shop.stripe.checkout.sessions.expire(left);
    const back = await fetch(String(after?.recovery?.url), { redirect: 'manual' });
    const taken = sessionOf(back.headers.get('Location') ?? '');
    sandbox.stripe.completeCheckout(taken, { email: EMAIL, name: 'Priya Raman' });
    const eventOf = (type: string) =>
      sandbox.stripe.events.snapshot().find((event) => event.type === type);
    const events = [eventOf('checkout.session.expired'), eventOf('checkout.session.completed')];

    for (const event of first === 'the old one’s end' ? events : events.toReversed()) {
      expect(await shop.deliver(event)).toMatchObject({
        status: 200,
        body: { outcome: 'applied' },
      });
    }

    expect(await db('checkouts').orderBy('state')).toMatchObject([
      { stripeCheckoutSessionId: left, state: 'abandoned', email: null },
      { stripeCheckoutSessionId: taken, state: 'complete', email: EMAIL, recoveredFrom: left },
    ]);
    expect(await db('subscriptions')).toMatchObject([
      { plan: 'annual', coupon: 'annual25', stage: 'trial' },
    ]);
    const always = { now: new Date(), startDate: undefined, endDate: undefined };
    expect(await listAbandoned(db, always)).toEqual({ people: [], isCapped: false });
    // The copy has our metadata too.
    expect(await db('checkouts').where({ state: 'abandoned' })).toMatchObject([
      { plan: 'annual', amountPence: upsellPricePence('launch', 'annual25') },
    ]);
  },
);

test.for(['visit id', 'cookie'])(
  'a visitor who corrected the email and paid abandoned nothing, known by the %s',
  async (known, { shop, sandbox, db }) => {
    const toVisitor = (sessionId: string) => {
      const headers: Record<string, string> = {};
      return async (email: string) => {
        const { body } = await shop.post('/api/lead/subscribe', {
          email,
          formType: 'pre_buy',
          ...(known === 'visit id' && { sessionId }),
        });
        const opened = await openCheckout(shop, { email, leadId: body.id }, headers);
        const cookie = opened.headers.get('Set-Cookie')?.split(';')[0];
        if (known === 'cookie' && cookie) headers['Cookie'] = cookie;
        return sessionOf(opened.body.url);
      };
    };
    const submit = toVisitor('visit-1');
    await submit('priya@gmial.example');
    const paid = await submit('priya@gmail.example');
    await toVisitor('visit-2')('somebody@else.example');
    sandbox.stripe.completeCheckout(paid, { email: 'priya@gmail.example' });

    await advance(sandbox, 2);

    const always = { now: new Date(), startDate: undefined, endDate: undefined };
    const { people } = await listAbandoned(db, always);
    expect(people.map(({ email }) => email)).toEqual(['somebody@else.example']);
  },
);

describe('a payer', { tags: ['long'] }, () => {
  test('a payer with another email than the lead’s becomes a lead and premium', async ({
    shop,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, { email: 'assistant@acquirers.example' });

    await subscribe(shop, sandbox, { leadId: lead.id });

    expect(await db('subscriptions')).toMatchObject([{ leadId: lead.id, email: EMAIL }]);
    // The payer must reach Beehiiv, or nobody would get the paid issue.
    expect(await db('leads').where({ email: EMAIL })).toMatchObject([
      { formType: 'pre_buy', beehiivStatus: 'pending' },
    ]);
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { emailNormalised: EMAIL, tier: 'premium' },
    ]);
  });

  test('a payer with the same email in another case gets no lead of their own', async ({
    shop,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, { email: EMAIL });

    await subscribe(shop, sandbox, { leadId: lead.id, email: 'Priya@Acquirers.example' });

    expect(await db('leads')).toHaveLength(1);
  });

  test('a second subscription is flagged, and the payer premium until both have ended', async ({
    shop,
    sandbox,
    db,
  }) => {
    // Without an email, the checkout is not expired when the email pays.
    const other = await shop.post('/api/checkout/upsell', { plan: 'monthly15' });
    const first = await subscribe(shop, sandbox);
    await advance(sandbox, 0.5);
    sandbox.stripe.completeCheckout(sessionOf(other.body.url), { email: EMAIL });
    await sandbox.stripe.webhooksSettled();
    const both = await db('subscriptions').orderBy('startedAt');
    const second = await db('second_subscriptions');
    await shop.stripe.subscriptions.cancel(first.id);
    await sandbox.stripe.webhooksSettled();
    const oneLeft = await db('subscriptions').orderBy('startedAt');
    const tier = await db('people').whereNotNull('tier').first();

    await shop.stripe.subscriptions.cancel(both[1].stripeSubscriptionId);
    await sandbox.stripe.webhooksSettled();

    expect(both.map(({ isLive }) => isLive)).toEqual([true, true]);
    expect(second).toMatchObject([
      { stripeSubscriptionId: both[1].stripeSubscriptionId, otherId: first.id },
    ]);
    expect(oneLeft.map(({ isLive }) => isLive)).toEqual([false, true]);
    expect(await db('second_subscriptions')).toEqual([]);
    expect(tier).toMatchObject({ tier: 'premium', tierVersion: 1 });
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tier: 'free', tierVersion: 2 },
    ]);
  });
});
