// @module-tag long
import { advanceSyncClock, storeLead, storePerson } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { describe, expect, vi } from 'vitest';
import { listMatters } from '../testing/attention.fixture.ts';
import { test, tiersOf } from '../testing/payer.fixture.ts';
import { sessionOf } from '../testing/shop.fixture.ts';

const TYPO = 'priya@raeder.example';
const RIGHT = 'Priya@Reader.example';

const emailOf = async (db: Database, id: string): Promise<string> =>
  (await db('leads').where({ id }).first('email')).email;

test('a payer’s correction moves tier, subscription and Stripe’s customer', async ({
  shop,
  subscribe,
  correct,
  open,
  sandbox,
  db,
  headers,
}) => {
  const { lead, checkout, subscription } = await subscribe(TYPO);

  const answer = await correct(lead.id, RIGHT);

  expect(answer.status).toBe(200);
  expect(sandbox.stripe.customers.find(subscription.customer)?.email).toBe('Priya@reader.example');
  expect(await db('subscriptions')).toMatchObject([
    { email: 'Priya@reader.example', leadId: answer.json.id },
  ]);
  expect(await tiersOf(db)).toEqual({ [TYPO]: 'free', [RIGHT.toLowerCase()]: 'premium' });
  expect(await db('removal_requests')).toMatchObject([
    { emailNormalised: TYPO, leadId: answer.json.id },
  ]);
  const recorded = await shop.call('GET', '/api/admin/audit?action=correct-payer', { headers });
  expect(recorded.json.actions).toMatchObject([
    { subject: lead.id, detail: { subscriptions: [subscription.id] } },
  ]);
  const told = async () => {
    const { json } = await shop.call('GET', `/api/admin/leads/${answer.json.id}`, { headers });
    const about = ['action', 'unsubscribe'];
    return json.history.filter(({ kind }: { kind: string }) => about.includes(kind));
  };
  const corrected = {
    kind: 'action',
    detail: 'correct-payer',
    operator: 'j.holt',
    subject: TYPO,
  };
  expect(await told()).toMatchObject([corrected, { kind: 'unsubscribe', detail: 'asked' }]);
  await db('removal_requests').update({ emailNormalised: null, doneAt: db.fn.now() });
  expect((await told()).at(-1)).toMatchObject({ kind: 'unsubscribe', detail: 'done' });
  expect((await open(TYPO)).status).toBe(200);
  expect((await open(RIGHT)).status).toBe(409);
  // An old receipt still names the mistyped email.
  await shop.call('GET', `/api/checkout/session/${checkout}`);
  expect(await db('subscriptions')).toMatchObject([{ email: 'Priya@reader.example' }]);
  expect(await db('leads').where({ emailNormalised: TYPO })).toEqual([]);
});

test('a payer’s email can be corrected from a subscription whose lead has another', async ({
  subscribe,
  correctSubscription,
  db,
}) => {
  const { lead, subscription } = await subscribe(TYPO);
  await db('leads').where({ id: lead.id }).update({ fullName: 'Its real owner' });
  const other = await storeLead(db, { email: 'assistant@reader.example' });
  await db('subscriptions').update({ leadId: other.id });

  const answer = await correctSubscription(subscription.id, RIGHT);
  const again = await correctSubscription(subscription.id, RIGHT);

  expect(answer).toMatchObject({
    status: 200,
    json: {
      email: 'Priya@reader.example',
    },
  });
  expect(again).toMatchObject({ status: 200, json: answer.json });
  expect(await db('leads').where({ emailNormalised: RIGHT.toLowerCase() })).toMatchObject([
    {
      beehiivStatus: 'pending',
      consentMarketing: false,
      consentTextVersion: null,
      utmSource: null,
    },
  ]);
  expect(await db('operator_actions').where({ action: 'correct-payer' })).toHaveLength(1);
});

test('nothing is corrected if Stripe refuses the email, or is unreachable', async ({
  subscribe,
  correct,
  sandbox,
  db,
}) => {
  const { lead } = await subscribe(TYPO);

  const refused = await correct(lead.id, 'zoë@reader.example');
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
  const away = await correct(lead.id, RIGHT);

  expect(refused).toMatchObject({ status: 422, json: { errors: [{ field: 'email' }] } });
  expect(away.status).toBe(503);
  expect(await db('subscriptions')).toMatchObject([{ email: TYPO }]);
  expect(await db('leads')).toHaveLength(1);
});

test('a payer’s correction is refused if the correct email already pays', async ({
  subscribe,
  correct,
  sandbox,
}) => {
  const { lead } = await subscribe(TYPO);
  await subscribe(RIGHT);

  const answer = await correct(lead.id, RIGHT);

  expect(answer.status).toBe(409);
  expect(sandbox.stripe.customers.newestFirst().map(({ email }) => email)).toContain(TYPO);
});

test('a payer’s correction moves the person’s other leads', async ({ subscribe, correct, db }) => {
  const { lead, subscription } = await subscribe(TYPO);
  const sample = await storeLead(db, {
    email: TYPO,
    formType: 'pre_sample',
    fullName: null,
    beehiivStatus: 'sent',
  });

  const answer = await correct(lead.id, RIGHT);

  expect(await db('removal_requests')).toMatchObject([{ emailNormalised: TYPO }]);
  const moved = await db('leads').where({ emailNormalised: RIGHT.toLowerCase() });
  expect(new Set(moved.map(({ id }) => id))).toEqual(new Set([lead.id, sample.id]));
  expect(answer.json.id).toBe(lead.id);
  expect(await db('subscriptions')).toMatchObject([
    {
      stripeSubscriptionId: subscription.id,
      leadId: answer.json.id,
      email: 'Priya@reader.example',
    },
  ]);
  expect(
    await db('operator_actions').whereLike('action', 'correct%').orderBy('id').pluck('subject'),
  ).toEqual([lead.id, sample.id]);
});

test.for([
  ['has another name', { fullName: 'Its real owner' }],
  ['looks automated', { fullName: null, quarantineReason: 'too fast', beehiivStatus: 'failed' }],
] as const)(
  'a payer’s correction leaves a lead of that email alone if it %s',
  async ([, given], { subscribe, correct, db }) => {
    const { lead } = await subscribe(TYPO);
    const other = await storeLead(db, { email: TYPO, ...given });

    await correct(lead.id, RIGHT);

    expect(await emailOf(db, other.id)).toBe(TYPO);
    // Nothing is sent to an automated lead, so nobody loses anything.
    expect(await db('removal_requests')).toHaveLength(other.quarantineReason ? 1 : 0);
  },
);

test('a payer’s correction moves free access unless the right email has it for longer', async ({
  correct,
  post,
  db,
}) => {
  const give = (email: string, until: string) => post('people/free-access', { email, until });
  const correctSent = async (email: string, to: string) => {
    const lead = await storeLead(db, { email, beehiivStatus: 'sent' });
    return correct(lead.id, to);
  };
  const [soon, later] = [30, 60].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString(),
  );
  await give(TYPO, soon!);
  await give('sam@raeder.example', soon!);
  await give('sam@reader.example', later!);

  await db('people').where({ emailNormalised: TYPO }).update({ freeReason: 'Press' });

  await correctSent(TYPO, RIGHT);
  await correctSent('sam@raeder.example', 'sam@reader.example');

  const access = await db('people')
    .whereNotNull('free_granted_by')
    .orderBy('freeUntil')
    .select('emailNormalised', 'freeUntil', 'freeReason');
  expect(
    access.map((row) => [row.emailNormalised, row.freeUntil.toISOString(), row.freeReason]),
  ).toEqual([
    [RIGHT.toLowerCase(), soon, 'Press'],
    ['sam@reader.example', later, null],
  ]);
  expect(await tiersOf(db)).toEqual({
    [TYPO]: 'free',
    [RIGHT.toLowerCase()]: 'premium',
    'sam@raeder.example': 'free',
    'sam@reader.example': 'premium',
  });
});

test('a corrected payer keeps no detail of another person’s lead', async ({
  correctSubscription,
  open,
  sandbox,
  db,
}) => {
  const details = { company: 'Assistant Ltd', phone: '020 7946 0000' };
  const lead = await storeLead(db, { email: 'assistant@reader.example', ...details });
  const { id } = await open(TYPO, lead.id);
  sandbox.stripe.completeCheckout(id, { email: TYPO, name: 'Priya Raeder' });
  await sandbox.stripe.webhooksSettled();
  const [subscription] = await db('subscriptions');
  expect(subscription).toMatchObject(details);

  await correctSubscription(subscription.stripeSubscriptionId, RIGHT);

  expect(await db('subscriptions')).toMatchObject([
    { name: 'Priya Raeder', company: null, phone: null },
  ]);
});

test('if two operators correct an email at once, Stripe ends with the stored email', async ({
  shop,
  subscribe,
  correct,
  sandbox,
  db,
}) => {
  const { lead, subscription } = await subscribe(TYPO);
  const { customers } = shop.deps.stripe;
  const update = customers.update.bind(customers);
  const statuses: number[] = [];
  vi.spyOn(customers, 'update').mockImplementationOnce(async (...args) => {
    statuses.push((await correct(lead.id, 'priya@other.example')).status);
    return update(...args);
  });

  statuses.push((await correct(lead.id, RIGHT)).status);

  const [stored] = await db('subscriptions').pluck('email');
  expect(sandbox.stripe.customers.find(subscription.customer)?.email).toBe(stored);
  // Either correction may store it first.
  expect(statuses).toEqual([200, 409]);
});

test('a correction that fails before anything is stored is undone at Stripe', async ({
  shop,
  subscribe,
  correct,
  sandbox,
  db,
}) => {
  const { lead, subscription } = await subscribe(TYPO);
  const { customers } = shop.deps.stripe;
  const update = customers.update.bind(customers);
  vi.spyOn(customers, 'update').mockImplementationOnce(async (...args) => {
    await update(...args);
    throw new Error('it fails here');
  });

  const answer = await correct(lead.id, RIGHT);

  expect(answer.status).toBe(500);
  expect(sandbox.stripe.customers.find(subscription.customer)?.email).toBe(TYPO);
  expect(await db('subscriptions')).toMatchObject([{ email: TYPO }]);
});

test('a correction whose process ends halfway is listed and can be repeated', async ({
  shop,
  subscribe,
  correctSubscription,
  sandbox,
  db,
  headers,
}) => {
  const { subscription } = await subscribe(TYPO);
  // Such a process has done only this.
  await shop.deps.stripe.customers.update(subscription.customer, { email: RIGHT });
  await sandbox.stripe.webhooksSettled();
  const listed = async () =>
    (await listMatters(shop, headers)).filter(({ kind }) => kind === 'email-changed');
  const before = await listed();

  await correctSubscription(subscription.id, RIGHT);

  expect(before).toMatchObject([{ email: TYPO, text: expect.stringContaining(RIGHT) }]);
  expect(await listed()).toEqual([]);
  expect(await db('subscriptions')).toMatchObject([{ email: 'Priya@reader.example' }]);
});

test('a payer’s correction moves a subscription that arrives meanwhile', async ({
  shop,
  subscribe,
  correct,
  sandbox,
  db,
}) => {
  const { lead } = await subscribe(TYPO);
  const upsell = await shop.call('POST', '/api/checkout/upsell', { body: { plan: 'monthly15' } });
  const session = sessionOf(upsell.json.url);
  const { customers } = shop.deps.stripe;
  const update = customers.update.bind(customers);
  vi.spyOn(customers, 'update').mockImplementationOnce(async (...args) => {
    sandbox.stripe.completeCheckout(session, { email: TYPO });
    await sandbox.stripe.webhooksSettled();
    return update(...args);
  });

  const answer = await correct(lead.id, RIGHT);

  expect(answer.status).toBe(200);
  expect(await db('subscriptions').pluck('email')).toEqual([
    'Priya@reader.example',
    'Priya@reader.example',
  ]);
  expect(sandbox.stripe.customers.newestFirst().map(({ email }) => email)).toEqual([
    'Priya@reader.example',
    'Priya@reader.example',
  ]);
  expect(await db('removal_requests')).toMatchObject([{ emailNormalised: TYPO }]);
});

test.for(['paid', 'expired'] as const)(
  'an upsell that is %s after its sample’s correction has the correct email',
  async (end, { shop, correct, sandbox, db }) => {
    const { id } = await storeLead(db, { email: TYPO, formType: 'pre_sample', fullName: 'Priya' });
    const body = { plan: 'monthly15', email: TYPO };
    const upsell = await shop.call('POST', '/api/checkout/upsell', { body });
    await correct(id, RIGHT);

    const session = sessionOf(upsell.json.url);
    if (end === 'paid') sandbox.stripe.completeCheckout(session, { email: TYPO });
    else await shop.deps.stripe.checkout.sessions.expire(session);
    await sandbox.stripe.webhooksSettled();

    expect(await db('checkouts').pluck('email')).toEqual(['Priya@reader.example']);
    const payers = end === 'paid' ? ['Priya@reader.example'] : [];
    expect(await db('subscriptions').pluck('email')).toEqual(payers);
    expect(new Set(await db('leads').pluck('email'))).toEqual(new Set(['Priya@reader.example']));
    expect(await db('people').where({ tier: 'premium' }).pluck('email')).toEqual(payers);
  },
);

test('a browser that repeats the typo of a payer gets no second checkout', async ({
  shop,
  subscribe,
  correct,
}) => {
  const { lead } = await subscribe(TYPO);
  await correct(lead.id, RIGHT);

  const body = { email: TYPO, leadId: lead.id };
  const again = await shop.call('POST', '/api/checkout/session', { body });

  expect([again.status, again.json.type]).toEqual([409, expect.stringContaining('subscribed')]);
});

test('the email of an unknown subscription is not found', async ({ correctSubscription }) => {
  expect(await correctSubscription('sub_none', RIGHT)).toMatchObject({ status: 404 });
});

test('a payer’s corrected email is made active once, though it had unsubscribed', async ({
  shop,
  subscribe,
  correctSubscription,
  sandbox,
  db,
}) => {
  const { subscription } = await subscribe(TYPO);
  await db('people').whereNotNull('tier').update({ mustActivate: false });
  const learned = { statusSince: new Date(), learnedAt: new Date() };
  const emailNormalised = RIGHT.toLowerCase();
  await storePerson(db, { emailNormalised, status: 'inactive', ...learned });

  await correctSubscription(subscription.id, RIGHT);
  expect(await db('people').where({ mustActivate: true }).pluck('email_normalised')).toEqual([
    emailNormalised,
  ]);
  // As the worker does before its request.
  await db('people').update({ mustActivate: false });
  await shop.deps.stripe.subscriptions.update(subscription.id, { metadata: { again: 'yes' } });
  await sandbox.stripe.webhooksSettled();

  expect(await tiersOf(db)).toEqual({ [TYPO]: 'free', [RIGHT.toLowerCase()]: 'premium' });
  expect(await db('people').where({ mustActivate: true })).toEqual([]);
});

describe('reading with the subscription of somebody else', () => {
  const PAYER = 'accounts@reader.example';
  const READER = 'director@reader.example';
  const readerTest = test.extend('give', ({ post }) =>
    (email: string, id: string) =>
      post('people/free-access', { email, withSubscription: id }));

  readerTest(
    'lasts as long as the subscription is live, and changes nothing for the payer',
    async ({ shop, subscribe, sandbox, db, headers, give }) => {
      const { subscription, lead } = await subscribe(PAYER);

      const given = await give(READER, subscription.id);

      expect(given).toMatchObject({ status: 200, json: { until: null, subscriptions: [] } });
      expect(await tiersOf(db)).toEqual({ [PAYER]: 'premium', [READER]: 'premium' });
      expect(await db('leads').where({ email: READER })).toMatchObject([
        { beehiivStatus: 'pending', utmSource: 'operator' },
      ]);
      const person = await shop.call('GET', `/api/admin/leads/${lead.id}/person`, { headers });
      expect(person.json).toMatchObject({
        subscriptions: [{ email: PAYER, readers: [READER] }],
        others: [{ email: READER }],
      });

      await shop.deps.stripe.subscriptions.cancel(subscription.id);
      await sandbox.stripe.webhooksSettled();

      expect(await tiersOf(db)).toEqual({ [PAYER]: 'free', [READER]: 'free' });
      expect(await give(READER, subscription.id)).toMatchObject({ status: 409 });
      expect(await give(READER, 'sub_none')).toMatchObject({ status: 404 });
    },
  );

  readerTest(
    'given while the subscription ends, it ends too',
    async ({ shop, subscribe, sandbox, db, give }) => {
      const { subscription } = await subscribe(PAYER);
      const readers = ['a@reader.example', 'b@reader.example', 'c@reader.example'];

      await Promise.all([
        ...readers.map((email) => give(email, subscription.id)),
        shop.deps.stripe.subscriptions.cancel(subscription.id),
      ]);
      await sandbox.stripe.webhooksSettled();

      expect(Object.values(await tiersOf(db))).not.toContain('premium');
    },
  );

  readerTest(
    'a reader whom the newsletter does not reach is named, a payer is reviewed',
    async ({ shop, subscribe, db, headers, give }) => {
      const { subscription } = await subscribe(PAYER);
      await give(READER, subscription.id);
      await advanceSyncClock(db, 3_600);
      const learned = { statusSince: new Date(), learnedAt: new Date() };
      for (const emailNormalised of [PAYER, READER])
        await storePerson(db, { emailNormalised, status: 'inactive', ...learned });
      const listed = async () =>
        (await listMatters(shop, headers))
          .filter(({ kind }) => kind === 'not-receiving')
          .map(({ email }) => email);
      const review = async () =>
        (
          await shop.call('POST', `/api/admin/money/not-receiving/${subscription.id}/review`, {
            headers,
          })
        ).status;

      expect(new Set(await listed())).toEqual(new Set([PAYER, READER]));
      expect([await review(), await review()]).toEqual([204, 204]);
      expect(await listed()).toEqual([READER]);
      expect(await db('operator_actions').where({ action: 'review-not-receiving' })).toHaveLength(
        1,
      );
      // Another reason needs another review.
      await db('people').where({ emailNormalised: PAYER }).update({ status: 'invalid' });
      expect(new Set(await listed())).toEqual(new Set([PAYER, READER]));
    },
  );
});

describe('erasing and exporting', () => {
  test('a reader is erased without the subscription, the payer after its end', async ({
    subscribe,
    post,
    db,
  }) => {
    const payer = 'boss@reader.example';
    const desk = 'desk@reader.example';
    const { subscription } = await subscribe(payer);
    await post('people/free-access', { email: desk, withSubscription: subscription.id });
    const shown = await post('people/export', { email: desk });

    const erased = [
      await post('people/erase', { email: payer }),
      await post('people/erase', { email: desk }),
    ];

    expect(shown.json.tables.subscriptions).toEqual([]);
    expect(erased.map(({ status }) => status)).toEqual([409, 202]);
    expect(await db('people').whereNotNull('free_granted_by')).toEqual([]);
    expect(await db('leads').pluck('email')).toEqual([payer]);
  });

  test('a corrected mistyped email is erased without the live subscriber', async ({
    subscribe,
    correct,
    post,
    db,
  }) => {
    const { lead } = await subscribe(TYPO);
    const { json } = await correct(lead.id, RIGHT);

    const typo = await post('people/erase', { email: TYPO });
    const right = await post('people/erase', { email: RIGHT });

    expect(typo.status).toBe(202);
    expect(right.status).toBe(409);
    expect(await db('leads').pluck('id')).toEqual([json.id]);
    expect(await db('subscriptions')).toMatchObject([
      { email: 'Priya@reader.example', leadId: json.id },
    ]);
    expect((await db('removal_requests')).map(({ emailNormalised }) => emailNormalised)).toEqual([
      TYPO,
    ]);
  });
});

describe('once an email is corrected', () => {
  test('what the mistyped email’s real owner pays is theirs', async ({
    shop,
    correct,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, { email: TYPO, fullName: 'Priya', beehiivStatus: 'sent' });
    await correct(lead.id, RIGHT);
    await db('former_emails').update({ correctedAt: db.raw(`now() - interval '5 minutes'`) });

    const body = { plan: 'annual25', email: TYPO };
    const { json } = await shop.call('POST', '/api/checkout/upsell', { body });
    sandbox.stripe.completeCheckout(sessionOf(json.url), { email: TYPO, name: 'Real Owner' });
    await sandbox.stripe.webhooksSettled();

    expect(await db('subscriptions')).toMatchObject([{ email: TYPO }]);
    expect(await tiersOf(db)).toMatchObject({ [TYPO]: 'premium' });
    const right = db('people').where({ emailNormalised: RIGHT.toLowerCase() });
    expect(await right.first()).toMatchObject({ name: 'Priya' });
  });

  test('a second subscription of the former email is the real owner’s', async ({
    shop,
    headers,
    subscribe,
    correct,
    sandbox,
    db,
  }) => {
    const { lead } = await subscribe(TYPO);
    await correct(lead.id, RIGHT);
    await db('former_emails').update({ correctedAt: db.raw(`now() - interval '5 minutes'`) });

    const link = await shop.call('POST', '/api/admin/people/payment-link', {
      headers: { ...headers, 'Idempotency-Key': 'a' },
      body: { email: TYPO, plan: 'monthly' },
    });
    sandbox.stripe.completeCheckout(sessionOf(link.json.url), { email: TYPO });
    await sandbox.stripe.webhooksSettled();

    const paying = await db('subscriptions').where({ isLive: true }).pluck('email_normalised');
    expect(new Set(paying)).toEqual(new Set([TYPO, RIGHT.toLowerCase()]));
  });

  test('the recovery link of an earlier offer pays for the correct email', async ({
    shop,
    correct,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, {
      email: TYPO,
      formType: 'pre_sample',
      beehiivStatus: 'sent',
    });
    const body = { plan: 'annual25', email: TYPO };
    const { json } = await shop.call('POST', '/api/checkout/upsell', { body });
    await shop.deps.stripe.checkout.sessions.expire(sessionOf(json.url));
    await sandbox.stripe.webhooksSettled();
    const { recoveryUrl } = await db('checkouts').first('recoveryUrl');
    await correct(lead.id, RIGHT);
    await db('former_emails').update({ correctedAt: db.raw(`now() - interval '5 minutes'`) });

    await fetch(recoveryUrl, { redirect: 'manual' });
    const [recovered] = sandbox.stripe.checkouts.newestFirst();
    sandbox.stripe.completeCheckout(recovered!.id, { email: TYPO });
    await sandbox.stripe.webhooksSettled();

    expect(await db('subscriptions')).toMatchObject([{ email: 'Priya@reader.example' }]);
  });

  test('one of two open offers is paid, and the other ends', async ({
    shop,
    correct,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, {
      email: TYPO,
      formType: 'pre_sample',
      beehiivStatus: 'sent',
    });
    const [first = '', second = ''] = await Promise.all(
      ['annual25', 'monthly15'].map(async (plan) => {
        const body = { plan, email: TYPO };
        return sessionOf((await shop.call('POST', '/api/checkout/upsell', { body })).json.url);
      }),
    );
    await correct(lead.id, RIGHT);

    sandbox.stripe.completeCheckout(first, { email: TYPO });
    await sandbox.stripe.webhooksSettled();

    expect(sandbox.stripe.checkouts.find(second)?.session).toMatchObject({ status: 'expired' });
  });

  test('the payer’s open checkout is theirs though the mistyped email is erased', async ({
    open,
    correct,
    post,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, { email: TYPO, fullName: 'Priya', beehiivStatus: 'sent' });
    const { id } = await open(TYPO, lead.id);
    await correct(lead.id, RIGHT);
    await post('people/erase', { email: TYPO });

    sandbox.stripe.completeCheckout(id, { email: TYPO });
    await sandbox.stripe.webhooksSettled();

    expect(await db('subscriptions')).toMatchObject([{ email: 'Priya@reader.example' }]);
    expect(await db('leads').pluck('id')).toEqual([lead.id]);
  });

  test('the payer’s other open checkout ends', async ({
    subscribe,
    open,
    correct,
    sandbox,
    db,
  }) => {
    const { lead } = await subscribe(TYPO);
    const again = await storeLead(db, { email: RIGHT });
    const { id } = await open(RIGHT, again.id);

    expect((await correct(lead.id, RIGHT)).status).toBe(200);

    expect(sandbox.stripe.checkouts.find(id)?.session).toMatchObject({ status: 'expired' });
  });
});
