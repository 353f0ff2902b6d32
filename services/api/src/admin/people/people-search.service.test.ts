import { storeLead, storePerson } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { planSetUp } from '../../stripe/set-up.ts';
import { test as base } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import {
  countLists,
  findByStripeId,
  findByText,
  listPeople,
  findPeople,
  readStates,
} from './people-search.repository.ts';
import {
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';

const test = base.extend('search', async ({ api }) => {
  const headers = await api.logIn();
  return (text: string, cursor?: number | string) => find(api, headers, text, cursor);
});

const find = (api: Api, headers: Record<string, string>, text: string, cursor?: number | string) =>
  api.call('POST', '/api/admin/people/search', {
    headers,
    body: { text, ...(cursor && { cursor }) },
  });

const emailsOf = ({ json }: { json: { people: { email: string }[] } }) =>
  json.people.map(({ email }) => email);

describe('POST /api/admin/people/search', () => {
  test('a search finds a person once by email, name or company', async ({ search, db }) => {
    const first = await storeLead(db, {
      email: 'Ada@reader.example',
      fullName: 'Ada Byron',
      company: 'Engines',
    });
    const second = await storeLead(db, {
      email: 'ada@reader.example',
      fullName: null,
      submittedAt: new Date(Date.now() + 1_000),
    });
    await storeSubscription(db, {
      firstPaidAt: new Date(),
      email: 'ada@reader.example',
      name: 'A. Lovelace',
    });
    await storeSubscription(db, {
      email: 'ada@reader.example',
      status: 'canceled',
      createdAt: new Date(0),
    });
    await storeLead(db, { email: 'other@reader.example', fullName: 'Somebody Else' });

    const answers = [];
    for (const text of ['ada@reader.example', 'LOVELACE', 'engin', 'ad', 'Byron'])
      answers.push(await search(text));

    for (const { json } of answers) {
      expect(json).toMatchObject({
        people: [
          {
            email: 'ada@reader.example',
            name: 'A. Lovelace',
            leadIds: [second.id, first.id],
            state: 'paying',
          },
        ],
        nextCursor: null,
      });
    }
    expect(answers.at(-1)?.json.people[0].foundIn).toEqual({ kind: 'name', text: 'Ada Byron' });
  });

  test('a search lists payers first, the newest first, each person once', async ({
    search,
    db,
  }) => {
    for (let n = 0; n < 120; n += 1) {
      const email = `p${String(n).padStart(3, '0')}@reader.example`;
      await storeLead(db, { email, fullName: 'Common Name' });
      if (n >= 60) await storeSubscription(db, { email, name: n % 2 ? 'Common Name' : null });
    }

    const pages: string[][] = [];
    for (let cursor: number | undefined; pages.length === 0 || cursor;) {
      const answer = await search('common name', cursor);
      pages.push(emailsOf(answer));
      cursor = answer.json.nextCursor ?? undefined;
    }

    const all = pages.flat();
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
    expect(new Set(all).size).toBe(120);
    expect(all.slice(0, 60)).toEqual(all.slice(0, 60).toSorted().toReversed());
    expect(all[0]).toBe('p119@reader.example');
    expect(all[60]).toBe('p059@reader.example');
  });

  test('the people on the list are those active at Beehiiv, whether they pay or not', async ({
    operator,
    db,
  }) => {
    const list = async (body: object = {}) =>
      (await operator.post('people/search', { state: 'on-list', ...body })).json;
    const learnt = { statusSince: new Date(), learnedAt: new Date() };
    for (let n = 0; n < 60; n += 1) {
      const emailNormalised = `p${n}@reader.example`;
      const submittedAt = new Date(Date.now() + n * 1_000);
      if (n > 0)
        await storeLead(db, {
          email: emailNormalised,
          submittedAt,
          fullName: n < 30 ? 'Ada Whit' : null,
        });
      // The newest of a payer's dates is the payment's.
      if (n % 10 === 0)
        await storeSubscription(db, { email: emailNormalised, createdAt: new Date(0) });
      const status = n % 20 === 5 ? 'inactive' : 'active';
      await storePerson(db, { emailNormalised, status, ...learnt });
    }
    await storeLead(db, { email: 'p7@reader.example' });
    await storeLead(db, { email: 'unknown@reader.example', fullName: 'Ada Whit' });

    const first = await list();
    const second = await list({ cursor: first.nextCursor });
    const people = [...emailsOf({ json: first }), ...emailsOf({ json: second })];
    expect([first.counts['on-list'], people.length, new Set(people).size]).toEqual([57, 57, 57]);
    expect(people[0]).toBe('p59@reader.example');
    expect(people.at(-1)).toMatch(/^p[1-5]?0@/);
    expect(people).not.toContain('p5@reader.example');
    const found = await list({ text: 'whit' });
    expect([found.counts['on-list'], found.people.length, found.counts.none]).toEqual([27, 27, 28]);
  });

  test('the latest event may be a refund or an undecided dispute', async ({ search, db }) => {
    const [past, later] = [new Date('2026-01-02T09:00:00Z'), new Date('2026-01-03T09:00:00Z')];
    const charged = [];
    for (const [n, name] of ['Refunded Whit', 'Disputed Whit'].entries()) {
      const stripeSubscriptionId = await storeSubscription(db, {
        email: `p${n}@x.example`,
        name,
        firstPaidAt: past,
      });
      const paid = { stripeSubscriptionId, totalPence: 500, paidAt: past };
      charged.push(await storeInvoice(db, paid));
    }
    const [refunded, disputed] = charged;
    await storeRefund(db, refunded!, { amountPence: 100, refundedAt: later });
    await storeDispute(db, disputed!, { amountPence: 500, openedAt: later });

    await db.raw('select judge_person(?)', ['p1@x.example']);

    const { json } = await search('whit');

    const told = json.people.map(
      (person: { email: string; state: string; reason: string | null }) => [
        person.email,
        person.state,
        person.reason,
      ],
    );
    expect(told.toSorted()).toEqual([
      ['p0@x.example', 'paying', null],
      ['p1@x.example', 'unsettled', 'disputed'],
    ]);
  });

  test('a search of people refuses an invalid cursor, and needs a session', async ({
    api,
    search,
  }) => {
    expect((await search('ada', 'nonsense')).status).toBe(422);
    expect((await find(api, {}, 'ada')).status).toBe(401);
  });

  test('a found person has their match, state and payments', async ({ search, db }) => {
    const [past, later] = [new Date('2026-01-02T09:00:00Z'), new Date('2026-01-03T09:00:00Z')];
    const lead = (email: string, more: object) =>
      storeLead(db, { email, fullName: 'Nadia Okafor', ...more });
    await lead('a@x.example', { company: 'Whitmore Partners', submittedAt: past });
    await lead('b@x.example', { phone: '+44 (0)1603 496 0148' });
    await lead('c@x.example', { fullName: 'Oliver Whitlock' });
    await lead('n.whit@x.example', {});
    await lead('free@x.example', { company: 'Whitbyre' });
    await storePerson(db, {
      emailNormalised: 'free@x.example',
      freeUntil: new Date(Date.now() + 86_400_000),
      freeGrantedBy: 'admin',
      freeGrantedAt: new Date(),
    });
    const note =
      'Introduced by a friend, and met at Whitstable in the summer of last year, on the beach';
    await db('notes').insert({
      id: randomUUID(),
      emailNormalised: 'd@x.example',
      text: note,
      operator: 'admin',
    });
    await lead('d@x.example', {});
    const pays = await storeSubscription(db, {
      email: 'd@x.example',
      startedAt: past,
      firstPaidAt: past,
    });
    const paid = await storeInvoice(db, {
      stripeSubscriptionId: pays,
      number: 'LL-1',
      totalPence: 500,
      refundedPence: 200,
      paidAt: later,
    });
    const other = { stripeSubscriptionId: pays, number: 'LL-2', totalPence: 300, paidAt: past };
    await storeInvoice(db, other);
    await storeRefund(db, paid, { amountPence: 200, refundedAt: later });
    await storeSubscription(db, {
      email: 'e@x.example',
      name: 'Isla Whitlock',
      status: 'trialing',
      trialEndsAt: later,
    });
    await storeSubscription(db, { email: 'g@x.example', name: 'Gil Whitlock', createdAt: past });
    await storePerson(db, { emailNormalised: 'g@x.example', tier: 'premium' });
    await db('people').whereNotNull('tier').update({ tierAttempts: 1 });
    await storeSubscription(db, {
      email: 'f@x.example',
      name: 'Sam Whitlock',
      status: 'canceled',
      endedAt: past,
    });

    const { json } = await search('whit');

    const found = json.people.map((person: { email: string; state: string; foundIn: unknown }) => [
      person.email,
      person.state,
      person.foundIn,
    ]);
    expect(found.slice(0, 5)).toEqual([
      ['g@x.example', 'not-receiving', { kind: 'name', text: null }],
      ['e@x.example', 'trial', { kind: 'name', text: null }],
      ['d@x.example', 'paying', { kind: 'note', text: null }],
      ['free@x.example', 'free-access', { kind: 'company', text: 'Whitbyre' }],
      ['f@x.example', 'ended', { kind: 'name', text: null }],
    ]);
    expect(found.slice(5).toSorted()).toEqual([
      ['a@x.example', 'none', { kind: 'company', text: 'Whitmore Partners' }],
      ['c@x.example', 'none', { kind: 'name', text: null }],
      ['n.whit@x.example', 'none', { kind: 'email', text: null }],
    ]);
    const counts = {
      'not-receiving': 1,
      unsettled: 0,
      'payment-failed': 0,
      trial: 1,
      paying: 1,
      'free-access': 1,
      ended: 1,
      none: 3,
      'on-list': 0,
    };
    expect(json.counts).toEqual(counts);
    expect(
      json.people.find(({ email }: { email: string }) => email === 'd@x.example'),
    ).toMatchObject({
      moneyIn: [{ pence: 600, currency: 'gbp' }],
      state: 'paying',
      since: past.toISOString(),
    });
    // A newer trial beside it.
    await storeSubscription(db, { email: 'd@x.example', status: 'trialing', startedAt: later });
    expect((await search('d@x.example')).json).toMatchObject({
      people: [{ state: 'paying', since: past.toISOString() }],
      counts: { paying: 1, trial: 0 },
    });
    expect((await search('beach introduced')).json.people).toMatchObject([
      { email: 'd@x.example', foundIn: { kind: 'note', text: null } },
    ]);
    expect(emailsOf(await search('beach Brighton'))).toEqual([]);
    expect((await search('LL-1')).json.people[0]).toMatchObject({
      foundIn: { kind: 'invoice', text: null },
    });
    expect(emailsOf(await search('01603 4960148'))).toEqual(['b@x.example']);
  });

  test('a search without a text lists everybody, or a state, with every count', async ({
    operator,
    db,
  }) => {
    const list = (body: object) => operator.post('people/search', body);
    const first = new Date('2020-01-01');
    await storeLead(db, { email: 'old@x.example', submittedAt: first });
    await storeLead(db, { email: 'new@x.example' });
    await storeLead(db, { email: 'new@x.example', submittedAt: first });
    await storeLead(db, {
      email: 'robot@x.example',
      quarantineReason: 'too fast',
      beehiivStatus: 'failed',
      nextAttemptAt: null,
    });
    await storeLead(db, { email: 'past@x.example' });
    await storeSubscription(db, {
      email: 'past@x.example',
      status: 'canceled',
      createdAt: new Date('2021-01-01'),
      endedAt: new Date('2100-01-01'),
    });
    const elsewhere = {
      email: 'paid@x.example',
      stripeCustomerId: 'cus_2',
    };
    await storeSubscription(db, {
      ...elsewhere,
      status: 'canceled',
      createdAt: new Date('2020-06-01'),
      endedAt: new Date('2020-06-01'),
    });

    const all = await list({});
    const none = await list({ state: 'none' });

    const newest = ['past@x.example', 'new@x.example'];
    expect(emailsOf(all)).toEqual([...newest, 'paid@x.example', 'old@x.example']);
    expect(emailsOf(none)).toEqual(['new@x.example', 'old@x.example']);
    for (const { json } of [all, none])
      expect(json).toMatchObject({ counts: { ended: 2, none: 2 }, isCapped: false });
  });

  test('a search lists the first 200 people, and reports that there are more', async ({
    db,
    search,
  }) => {
    await Promise.all(
      Array.from({ length: 201 }, (_, n) => storeLead(db, { email: `many${n}@reader.example` })),
    );

    const pages = [await search('many')];
    for (let last = pages[0]; last?.json.nextCursor; last = pages.at(-1))
      pages.push(await search('many', last.json.nextCursor));

    expect(new Set(pages.flatMap(emailsOf)).size).toBe(200);
    expect(pages.flatMap(emailsOf)).toHaveLength(200);
    for (const { json } of pages) expect(json).toMatchObject({ isCapped: true });
  });

  test('a known email finds its person and its notes, but no longer email', async ({
    db,
    search,
  }) => {
    for (const email of ['an@reader.example', 'jan@reader.example', 'sam@reader.example'])
      await storeLead(db, { email });
    const text = 'A colleague of an@reader.example';
    await db('notes').insert({
      id: randomUUID(),
      emailNormalised: 'sam@reader.example',
      text,
      operator: 'admin',
    });

    expect(emailsOf(await search('An@Reader.example'))).toEqual([
      'sam@reader.example',
      'an@reader.example',
    ]);
    expect(emailsOf(await search('an@reader.exampl'))).toHaveLength(3);
  });
});

test('a person is found by every id that Stripe shows of them', async ({ newApi, sandbox, db }) => {
  const api = await newApi({ PUBLIC_URL: 'http://site.example' }, { stripeUrl: sandbox.url });
  for (const change of await planSetUp(api.deps.stripe, 'launch')) await change.apply();
  sandbox.setApiUrl(api.url);
  const session = await api.call('POST', '/api/checkout/session', {
    body: { email: 'ada@reader.example' },
  });
  const checkout = /\/(cs_test_\w+)/.exec(session.json.url)?.[1] ?? '';
  sandbox.stripe.completeCheckout(checkout, { email: 'ada@reader.example' });
  sandbox.stripe.advance({ days: 7 });
  await sandbox.stripe.webhooksSettled();
  const headers = await api.logIn();
  const subscription = sandbox.stripe.subscriptions.newestFirst()[0]!;
  const charge = sandbox.stripe.charges.newestFirst()[0]!;
  const invoice = (await db('stripe_invoices').where('paidPence', '>', 0).first())!;
  const unstored = await db('stripe_invoices').whereNotNull('stripeChargeId');
  const { json } = await api.call('POST', `/api/admin/subscriptions/${subscription.id}/refund`, {
    headers: { ...headers, 'Idempotency-Key': 'a' },
    body: { amountPence: 100 },
  });
  const ids = [
    subscription.id,
    subscription.customer,
    checkout,
    invoice.id,
    invoice.number!.toLowerCase(),
    charge.id,
    charge.payment_intent,
    json.refund.id,
  ];

  const found = [];
  for (const id of ids) found.push([id, emailsOf(await find(api, headers, id))]);
  const unknown = [];
  for (const id of ['sub_none', 'pi_none', 'ch_none'])
    unknown.push((await find(api, headers, id)).json.people);
  await db('stripe_invoices').update({ stripeChargeId: null });
  const onlyAtStripe = emailsOf(await find(api, headers, charge.id));
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
  const unreachable = await find(api, headers, charge.id);

  expect(unstored).toEqual([]);
  expect(found).toEqual(ids.map((id) => [id, ['ada@reader.example']]));
  expect(unknown).toEqual([[], [], []]);
  expect(onlyAtStripe).toEqual(['ada@reader.example']);
  expect(unreachable).toMatchObject({
    status: 503,
    json: { type: 'urn:problem:stripe-unavailable' },
  });
});

test('POST /api/admin/people/lookup counts the rows of a person', async ({ operator, db }) => {
  await storeLead(db, { email: 'Ada@reader.example' });
  await storeLead(db, { email: 'ada@reader.example' });
  await storeSubscription(db, { email: 'ada@reader.example' });
  await storeLead(db, { email: 'other@reader.example' });

  const { json } = await operator.post('people/lookup', { email: 'ADA@reader.example' });

  expect(json.rows).toMatchObject({ leads: 2, subscriptions: 1, checkouts: 0 });
});

test('a search of people reads only indexes', async ({ db, search }) => {
  await storeLead(db, { email: 'ada@reader.example' });
  const statements: { sql: string; bindings: readonly unknown[] }[] = [];
  db.on('query', ({ sql, bindings }: { sql: string; bindings: unknown[] }) =>
    statements.push({ sql, bindings }),
  );
  await findByStripeId(db, 'in_1');
  const hits = await findByText(db, 'ada@reader.example');
  const [match] = await readStates(db, hits, {});
  await listPeople(db, {}, { offset: 0, limit: 51 });
  await countLists(db);
  await findPeople(db, [match!]);
  db.removeAllListeners('query');

  const plans: string[] = [];
  await db.transaction(async (trx) => {
    await trx.raw('set local enable_seqscan = off');
    for (const { sql, bindings } of statements) {
      const { rows } = await trx.raw(
        `explain ${sql.replaceAll(/\$\d+/g, '?')}`,
        bindings as string[],
      );
      plans.push(JSON.stringify(rows));
    }
  });

  expect(plans).toHaveLength(6);
  const read = plans.flatMap((plan) =>
    Array.from(plan.matchAll(/Seq Scan on (\w+)/g), ([, table]) => table),
  );
  expect(read).toEqual([]);
  expect((await search('ada')).status).toBe(200);
});

test('a search finds no erased person', async ({ search, db }) => {
  const id = await storeSubscription(db, { email: null, stripeCustomerId: 'cus_gone' });

  expect([(await search(id)).json.people, (await search('cus_gone')).json.people]).toEqual([
    [],
    [],
  ]);
});
