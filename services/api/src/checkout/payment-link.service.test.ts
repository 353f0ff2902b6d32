import { storeLead } from '@site/testing/builders';
import { expect, vi } from 'vitest';
import { OPERATOR } from '../testing/api.fixture.ts';
import { test as base } from '../testing/payer.fixture.ts';
import { sessionOf } from '../testing/shop.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

const EMAIL = 'Priya@acquirers.example';
const CALL = '/api/admin/people/payment-link';

const test = base.extend(
  'make',
  ({ shop, headers }) =>
    (body: object, key = 'a') =>
      shop.call('POST', CALL, { headers: { ...headers, 'Idempotency-Key': key }, body }),
);

test('a payment link needs a session, an email and an offer of the plan', async ({
  shop,
  make,
}) => {
  expect((await shop.call('POST', CALL, { body: { email: EMAIL } })).status).toBe(401);
  expect((await make({ email: EMAIL, plan: 'monthly', offer: 'annual25' })).status).toBe(422);
  expect((await make({ email: 'zoë@acquirers.example', plan: 'monthly' })).status).toBe(422);
});

test.for([
  { plan: 'monthly', offer: undefined, lookupKey: 'launch_monthly' },
  { plan: 'annual', offer: undefined, lookupKey: 'launch_annual' },
  { plan: 'annual', offer: 'annual25', lookupKey: 'launch_annual' },
])(
  'a link for $plan $offer opens one checkout a key, with the person’s lead',
  async ({ plan, offer, lookupKey }, { make, sandbox, db }) => {
    const lead = await storeLead(db, { email: EMAIL, formType: 'pre_sample' });

    const [first, repeated] = [
      await make({ email: EMAIL, plan, offer }),
      await make({ email: EMAIL, plan, offer }),
    ];
    expect(first.status).toBe(200);
    expect(repeated.json).toEqual(first.json);
    const [checkout, ...others] = sandbox.stripe.checkouts.newestFirst();
    expect(others).toEqual([]);
    expect(checkout!.session).toMatchObject({
      url: first.json.url,
      expires_at: Date.parse(first.json.endsAt) / 1_000,
      customer_email: EMAIL,
      client_reference_id: lead.id,
      after_expiration: null,
    });
    expect(checkout!.order).toMatchObject({
      items: [{ price: { lookup_key: lookupKey } }],
      coupon: offer ? { id: offer } : null,
    });
    const detail = { plan: offer ?? plan, until: first.json.endsAt };
    expect(await db('operator_actions').where({ action: 'payment-link' })).toMatchObject([
      { operator: OPERATOR.username, subject: lead.id, detail },
    ]);

    const other = await make({ email: 'other@acquirers.example', plan, offer });
    expect(other).toMatchObject({ status: 409, json: { type: 'urn:problem:key-reused' } });
    expect((await make({ email: EMAIL, plan, offer }, 'b')).json.url).not.toBe(first.json.url);
  },
);

test('a link is refused while a subscription is live or Stripe is away', async ({
  make,
  sandbox,
  db,
}) => {
  const id = await storeSubscription(db, { email: EMAIL, status: 'active' });
  expect((await make({ email: EMAIL, plan: 'monthly' })).status).toBe(409);
  await db('subscriptions').update({ status: 'canceled' });
  expect(id).toBeDefined();

  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
  expect((await make({ email: EMAIL, plan: 'monthly' })).status).toBe(503);
  sandbox.setFault({ target: 'stripe', mode: 'ok' });
  expect(await db('checkouts')).toEqual([]);

  expect((await make({ email: EMAIL, plan: 'monthly' }, 'b')).status).toBe(200);
  const [checkout] = sandbox.stripe.checkouts.newestFirst();
  expect(checkout!.order.trialPeriodDays).toBeNull();
});

test('no checkout stays open for somebody who pays while it opens', async ({
  shop,
  make,
  sandbox,
  db,
}) => {
  const { sessions } = shop.deps.stripe.checkout;
  const create = sessions.create.bind(sessions);
  vi.spyOn(sessions, 'create').mockImplementation(async (...request) => {
    const made = await create(...request);
    await storeSubscription(db, { email: EMAIL, status: 'active' });
    return made;
  });

  const link = await make({ email: EMAIL, plan: 'monthly' });
  await db('subscriptions').delete();
  const visitors = await shop.call('POST', '/api/checkout/session', { body: { email: EMAIL } });

  const refusal = { status: 409, json: { type: 'urn:problem:already-subscribed' } };
  expect([link, visitors]).toMatchObject([refusal, refusal]);
  const states = sandbox.stripe.checkouts.newestFirst().map(({ session }) => session.status);
  expect(states).toEqual(['expired', 'expired']);
});

test('a paid link subscribes the person, ends other checkouts and is no conversion', async ({
  shop,
  headers,
  make,
  sandbox,
  db,
}) => {
  const lead = await storeLead(db, { email: EMAIL, consentTextVersion: '2025-12' });
  const visitors = { email: EMAIL, leadId: lead.id };
  const { json: opened } = await shop.call('POST', '/api/checkout/session', { body: visitors });
  const { json: link } = await make({ email: EMAIL, plan: 'monthly' });
  const id = sessionOf(link.url);

  sandbox.stripe.completeCheckout(id, { email: EMAIL, name: 'Priya Raman' });
  await sandbox.stripe.webhooksSettled();

  const state = async (of: string) =>
    db('checkouts').where({ stripeCheckoutSessionId: of }).first();
  expect(await state(id)).toMatchObject({ state: 'complete', isPaymentLink: true });
  expect(await state(sessionOf(opened.url))).toMatchObject({ state: 'abandoned' });
  expect((await shop.call('GET', `/api/checkout/session/${id}`)).json).toMatchObject({
    state: 'confirmed',
    isPaymentLink: true,
  });
  const { funnel } = (await shop.call('GET', '/api/admin/overview', { headers })).json;
  expect(funnel).toMatchObject({ people: 1, checkouts: 1, trials: 0, paying: 0 });
  const { history } = (await shop.call('GET', `/api/admin/leads/${lead.id}`, { headers })).json;
  expect(history.map(({ kind, detail }: Record<string, string>) => [kind, detail])).toEqual(
    expect.arrayContaining([
      ['action', 'payment-link'],
      ['checkout', 'complete'],
    ]),
  );
});

test('a link that is asked for again after the erasure stores no email', async ({
  shop,
  headers,
  make,
  db,
}) => {
  await make({ email: EMAIL, plan: 'monthly' });
  await shop.call('POST', '/api/admin/people/erase', { headers, body: { email: EMAIL } });

  const again = await make({ email: EMAIL, plan: 'monthly' });

  expect(again.status).toBe(404);
  expect(await db('checkouts').whereNotNull('email')).toEqual([]);
});

test('a link that nobody used is no abandoned checkout', async ({
  shop,
  headers,
  make,
  sandbox,
  db,
}) => {
  await storeLead(db, { email: EMAIL });
  await make({ email: EMAIL, plan: 'monthly' });
  sandbox.stripe.advance({ days: 2 });
  await sandbox.stripe.webhooksSettled();

  expect(await db('checkouts')).toMatchObject([{ state: 'abandoned', isPaymentLink: true }]);
  const abandoned = await shop.call('GET', '/api/admin/checkouts/abandoned', { headers });
  expect(abandoned.json.people).toEqual([]);
});
