import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { planSetUp } from '../../stripe/set-up.ts';
import { test as base } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { findByStripeId, findPeople, listAddresses } from './people-search.repository.ts';
import { storeSubscription } from '../../testing/subscription.fixture.ts';

const test = base.extend('search', async ({ api }) => {
  const headers = await api.logIn();
  return (text: string, cursor?: string) => find(api, headers, text, cursor);
});

const find = (api: Api, headers: Record<string, string>, text: string, cursor?: string) =>
  api.call('POST', '/api/admin/people/search', { headers, body: { text, ...(cursor && { cursor }) } });

const emailsOf = ({ json }: { json: { people: { email: string }[] } }) => json.people.map(({ email }) => email);

describe('POST /api/admin/people/search', () => {
  test('finds a person once by address, name or company, with leads and subscriptions', async ({ search, db }) => {
    const first = await storeLead(db, { email: 'Ada@reader.example', fullName: 'Ada Byron', company: 'Engines' });
    const second = await storeLead(db, {
      email: 'ada@reader.example',
      fullName: null,
      submittedAt: new Date(Date.now() + 1_000),
    });
    const paid = await storeSubscription(db, { email: 'ada@reader.example', name: 'A. Lovelace' });
    const received = await storeSubscription(db, {
      email: 'sam@reader.example',
      deliveryEmail: 'ada@reader.example',
      status: 'canceled',
      createdAt: new Date(0),
    });
    await storeLead(db, { email: 'other@reader.example', fullName: 'Somebody Else' });

    const answers = [];
    for (const text of ['ada@reader.example', 'BYRON', 'lovelace', 'engin', 'ad']) answers.push(await search(text));

    for (const { json } of answers) {
      expect(json).toEqual({
        people: [
          {
            email: 'Ada@reader.example',
            name: 'Ada Byron',
            leadIds: [second.id, first.id],
            subscriptions: [
              { id: paid, stage: 'paying' },
              { id: received, stage: 'ended' },
            ],
          },
        ],
        nextCursor: null,
      });
    }
  });

  test('lists payers first, then by address, page by page, each person once', async ({ search, db }) => {
    for (let n = 0; n < 120; n += 1) {
      const email = `p${String(n).padStart(3, '0')}@reader.example`;
      await storeLead(db, { email, fullName: 'Common Name' });
      if (n >= 60) await storeSubscription(db, { email, name: n % 2 ? 'Common Name' : 'Another' });
    }

    const pages: string[][] = [];
    for (let cursor: string | undefined; pages.length === 0 || cursor;) {
      const answer = await search('common name', cursor);
      pages.push(emailsOf(answer));
      cursor = answer.json.nextCursor ?? undefined;
    }

    const all = pages.flat();
    expect(pages.map((page) => page.length)).toEqual([50, 50, 20]);
    expect(new Set(all).size).toBe(120);
    expect(all.slice(0, 30)).toEqual(all.slice(0, 30).toSorted());
    expect(all[0]).toBe('p061@reader.example');
    expect(all[30]).toBe('p000@reader.example');
  });

  test('refuses an empty text, and needs a session', async ({ api, search }) => {
    expect((await search('  ')).status).toBe(422);
    expect((await search('ada', 'nonsense')).status).toBe(422);
    expect((await find(api, {}, 'ada')).status).toBe(401);
  });

  test('finds no erased person', async ({ search, db }) => {
    const id = await storeSubscription(db, { email: null, stripeCustomerId: 'cus_gone' });

    expect([(await search(id)).json.people, (await search('cus_gone')).json.people]).toEqual([[], []]);
  });

  test('reads only indexes', async ({ db, search }) => {
    await storeLead(db, { email: 'ada@reader.example' });
    const statements: { sql: string; bindings: readonly unknown[] }[] = [];
    db.on('query', ({ sql, bindings }: { sql: string; bindings: unknown[] }) => statements.push({ sql, bindings }));
    await listAddresses(db, 'ada@reader.example', null);
    await findByStripeId(db, 'in_1');
    await findPeople(db, ['ada@reader.example']);
    db.removeAllListeners('query');

    const plans: string[] = [];
    await db.transaction(async (trx) => {
      await trx.raw('set local enable_seqscan = off');
      for (const { sql, bindings } of statements) {
        const { rows } = await trx.raw(`explain ${sql.replaceAll(/\$\d+/g, '?')}`, bindings as string[]);
        plans.push(JSON.stringify(rows));
      }
    });

    expect(plans).toHaveLength(3);
    expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([]);
    expect((await search('ada')).status).toBe(200);
  });
});

test('a person is found by every id that Stripe shows of them', async ({ newApi, sandbox, db }) => {
  const api = await newApi({ PUBLIC_URL: 'http://site.example' }, { stripeUrl: sandbox.url });
  for (const change of await planSetUp(api.deps.stripe, 'launch')) await change.apply();
  sandbox.setApiUrl(api.url);
  const session = await api.call('POST', '/api/checkout/session', { body: { email: 'ada@reader.example' } });
  const checkout = /\/(cs_test_\w+)/.exec(session.json.url)?.[1] ?? '';
  sandbox.stripe.completeCheckout(checkout, { email: 'ada@reader.example' });
  sandbox.stripe.advance({ days: 7 });
  await sandbox.stripe.webhooksSettled();
  const headers = await api.logIn();
  const subscription = sandbox.stripe.subscriptions.newestFirst()[0]!;
  const charge = sandbox.stripe.charges.newestFirst()[0]!;
  const invoice = (await db('stripe_invoices').where('paidPence', '>', 0).first())!;
  const unstored = await db('stripe_charges');
  const { json: refund } = await api.call('POST', `/api/admin/subscriptions/${subscription.id}/refund`, {
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
    refund.id,
  ];

  const found = [];
  for (const id of ids) found.push([id, emailsOf(await find(api, headers, id))]);
  const unknown = [];
  for (const id of ['sub_none', 'pi_none', 'ch_none']) unknown.push((await find(api, headers, id)).json.people);
  await db('stripe_charges').delete();
  const onlyAtStripe = emailsOf(await find(api, headers, charge.id));
  sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
  const unreachable = await find(api, headers, charge.id);

  expect(unstored).toEqual([]);
  expect(found).toEqual(ids.map((id) => [id, ['ada@reader.example']]));
  expect(unknown).toEqual([[], [], []]);
  expect(onlyAtStripe).toEqual(['ada@reader.example']);
  expect(unreachable).toMatchObject({ status: 503, json: { type: 'urn:problem:stripe-unavailable' } });
});

test('POST /api/admin/people/lookup counts what is held of a person', async ({ api, db }) => {
  const headers = await api.logIn();
  await storeLead(db, { email: 'Ada@reader.example' });
  await storeLead(db, { email: 'ada@reader.example' });
  await storeSubscription(db, { email: 'ada@reader.example' });
  await storeLead(db, { email: 'other@reader.example' });

  const { json } = await api.call('POST', '/api/admin/people/lookup', {
    headers,
    body: { email: 'ADA@reader.example' },
  });

  expect(json.rows).toMatchObject({ leads: 2, subscriptions: 1, checkouts: 0 });
});
