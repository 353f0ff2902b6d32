import { storeAttempt, storeLead, storePerson } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { PERSONAL_FILTERS } from '@site/schema/calls/lead-filter';
import { CONSENT_TEXTS } from '@site/schema/consent';
import { test } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { storeCheckout, storeInvoice, storeSubscription } from '@site/testing/money-builders';

const email = 'Priya@Reader.example';

const correctAs =
  (api: Api, headers: Awaited<ReturnType<Api['logIn']>>) => async (id: string, to: string) =>
    (await api.call('POST', `/api/admin/leads/${id}/correct`, { headers, body: { email: to } }))
      .json.id as string;

test('an export has everything of one person, and nothing of others', async ({ operator, db }) => {
  const lead = await storeLead(db, { email });
  await storeLead(db);
  await storeAttempt(db, { leadId: lead.id });
  await db('sample_requests').insert({ id: randomUUID(), email: email.toUpperCase() });

  const { status, json } = await operator.post('people/export', { email });

  expect(status).toBe(200);
  expect(json.tables.leads).toMatchObject([{ id: lead.id }]);
  expect(json.tables.lead_sync_attempts).toHaveLength(1);
  expect(json.tables.sample_requests).toHaveLength(1);
  expect(json.consent).toMatchObject([{ agreed: true, wording: CONSENT_TEXTS['2025-12'] }]);
  const actions = db('operator_actions').where({ action: 'export-person' });
  expect(await actions).toMatchObject([{ subject: lead.id, detail: { leads: 1 } }]);
});

test('an erasure deletes rows at once, and the workers delete at Beehiiv', async ({
  operator,
  db,
}) => {
  await storeLead(db, { email });
  const other = await storeLead(db);
  await storeSubscription(db, { email, status: 'canceled' });

  const answer = await operator.post('people/erase', { email });

  expect(answer).toMatchObject({
    status: 202,
    json: {
      erased: { leads: 1, subscriptions: 1 },
      doneAt: null,
      kept: expect.stringContaining('Stripe'),
    },
  });
  expect(await db('leads').pluck('id')).toEqual([other.id]);
  expect(await db('removal_requests').first()).toMatchObject({
    emailNormalised: email.toLowerCase(),
  });
  const actions = JSON.stringify(await db('operator_actions').select());
  expect(actions).toContain(answer.json.id);
  expect(actions.toLowerCase()).not.toContain('priya');
  const again = await operator.post('people/erase', { email });
  expect(again.json.id).toBe(answer.json.id);
});

test('a second erasure before the first is done has its own receipt and counts', async ({
  operator,
  db,
}) => {
  const erase = async () => (await operator.post('people/erase', { email })).json;
  for (let n = 0; n < 2; n++) await storeLead(db, { email });
  const first = await erase();
  await storeLead(db, { email });

  const second = await erase();

  expect([first, second]).toMatchObject([{ erased: { leads: 2 } }, { erased: { leads: 1 } }]);
  expect(second.id).not.toBe(first.id);
  const { json } = await operator.get('people/erasures');
  expect(json.erasures).toMatchObject([second, first].map(({ id, erased }) => ({ id, erased })));
});

test.for(['trialing', 'unpaid', 'paused'])(
  'nothing is erased while a subscription is %s',
  async (status, { operator, db }) => {
    await storeLead(db, { email });
    await storeSubscription(db, { email, status });

    expect(await operator.post('people/erase', { email })).toMatchObject({
      status: 409,
      json: { type: 'urn:problem:subscription-live' },
    });
    expect(await db('leads').count()).toEqual([{ count: 1 }]);
  },
);

test('an export and an erasure include former emails, not their later owners', async ({
  api,
  operator,
  db,
}) => {
  const { headers } = operator;
  const mistyped = 'priya@raeder.example';
  const { id } = await storeLead(db, { email: mistyped, fullName: 'Priya', company: 'Ours' });
  await correctAs(api, headers)(id, email);
  const owner = await storeLead(db, { email: mistyped, fullName: null });
  const call = async (what: string, of: string) =>
    (await operator.post(`people/${what}`, { email: of })).json;

  const [ours, theirs] = [await call('export', email), await call('export', mistyped)];
  expect(ours.tables).toMatchObject({
    leads: [{ id }],
    former_emails: [{ leadId: id, email: mistyped, operator: null }],
  });
  expect(theirs.tables).toMatchObject({ leads: [{ id: owner.id }], former_emails: [] });
  expect(JSON.stringify(theirs)).not.toMatch(/Priya|Ours/);

  await call('erase', mistyped);

  expect(await db('leads')).toMatchObject([{ id, company: 'Ours' }]);
  expect(await db('former_emails')).toEqual([]);
});

test('a person corrected to a shared email is exported and erased apart', async ({
  api,
  operator,
  db,
}) => {
  const { headers } = operator;
  const correct = correctAs(api, headers);
  const submittedAt = new Date('2026-01-02T09:00:00Z');
  const amy = await storeLead(db, { email, fullName: 'Amy', submittedAt });
  await storeCheckout(db, { email, leadId: amy.id, startedAt: submittedAt });
  await db('sample_requests').insert({ id: randomUUID(), email, name: 'Amy', leadId: amy.id });
  const bob = await storeLead(db, { email: 'bob@raeder.example', fullName: 'Bob' });
  await correct(bob.id, email);
  await correct(amy.id, 'amy@reader.example');
  const { json } = await operator.post('people/export', { email });
  expect(json.tables).toMatchObject({
    leads: [{ id: bob.id }],
    checkouts: [],
    sample_requests: [],
  });

  await operator.post('people/erase', { email });

  expect(await db('sample_requests')).toMatchObject([{ email: 'amy@reader.example' }]);
  expect(await db('checkouts')).toMatchObject([{ leadId: amy.id, email: 'amy@reader.example' }]);
  expect(await db('leads').select('id', 'email', 'submittedAt')).toEqual([
    { id: amy.id, email: 'amy@reader.example', submittedAt },
  ]);
  expect(await db('former_emails')).toEqual([]);
});

test('an erasure covers a mistyped email at Beehiiv, too, unless somebody else uses it', async ({
  operator,
  db,
}) => {
  for (const [mistyped, right] of [
    ['a@raeder.example', 'a@reader.example'],
    ['b@raeder.example', 'b@reader.example'],
  ] as const) {
    const { id } = await storeLead(db, { email: mistyped });
    await operator.post(`leads/${id}/correct`, { email: right });
  }
  await storeLead(db, { email: 'b@raeder.example' });
  const lookUp = async (right: string) =>
    (await operator.post('people/lookup', { email: right })).json.others;
  expect(await lookUp('a@reader.example')).toEqual(['a@raeder.example']);
  expect(await lookUp('b@reader.example')).toEqual([]);

  for (const right of ['a@reader.example', 'b@reader.example']) {
    await operator.post('people/erase', { email: right });
  }

  const erasures = await db('removal_requests')
    .select('emailNormalised')
    .orderBy('emailNormalised');
  expect(erasures.map(({ emailNormalised }) => emailNormalised)).toEqual([
    'a@raeder.example',
    'a@reader.example',
    'b@reader.example',
  ]);
});

test('an export has the parked events about the person’s payments, and nobody else’s', async ({
  operator,
  db,
}) => {
  const objectId = await storeSubscription(db, { email, status: 'canceled' });
  const parked = {
    type: 'customer.subscription.updated',
    outcome: 'parked',
    failure: 'no',
  };
  await db('stripe_events').insert([
    { id: 'evt_1', ...parked, objectId },
    { id: 'evt_2', ...parked, objectId: 'sub_of_another' },
  ]);

  const { json } = await operator.post('people/export', { email });

  expect(json.tables.stripe_events).toMatchObject([{ id: 'evt_1', objectId }]);
});

test('an erasure keeps ids, amounts and dates of payments, and reports it', async ({
  operator,
  db,
}) => {
  const paid = {
    email,
    name: 'Priya',
    paymentUrl: 'https://x.example/',
  };
  const stripeSubscriptionId = await storeSubscription(db, { ...paid, status: 'canceled' });
  const sums = {
    status: 'paid',
    totalPence: 23_900,
    paidPence: 23_900,
    attempts: 1,
    currency: 'gbp',
    number: 'A-1',
  };
  const pageUrl = 'https://x.example/';
  await storeInvoice(db, { id: 'in_1', stripeSubscriptionId, pageUrl, ...sums });

  const { json } = await operator.post('people/erase', { email });

  const nobody = { email: null, name: null, paymentUrl: null, leadId: null };
  expect(await db('subscriptions')).toMatchObject([
    { stripeSubscriptionId, status: 'canceled', ...nobody },
  ]);
  expect(await db('stripe_invoices')).toMatchObject([{ id: 'in_1', pageUrl: null, ...sums }]);
  expect(json.erased.stripe_invoices).toBeUndefined();
  expect(json.kept).toMatch(/ids.* stay here for the accounts.* closed month/);
});

test('an export names no third person: no payer, no reader and no operator', async ({
  operator,
  db,
}) => {
  const others = /finance@|kim@|j\.holt/;
  const { id: leadId } = await storeLead(db, { email });
  const paid = { email: 'finance@reader.example', name: 'finance@', leadId };
  await storeSubscription(db, paid);
  const read = await storeSubscription(db, { email });
  await storePerson(db, {
    emailNormalised: 'kim@reader.example',
    freeWithSubscription: read,
    freeGrantedBy: 'j.holt',
    freeGrantedAt: new Date(),
  });
  const checkout = { email: 'finance@reader.example', recoveryUrl: 'https://x.example/finance@' };
  await storeCheckout(db, { stripeCheckoutSessionId: 'cs_1', leadId, ...checkout });
  const access = {
    emailNormalised: email.toLowerCase(),
    freeUntil: new Date(),
    freeGrantedBy: 'j.holt',
  };
  await storePerson(db, { ...access, freeGrantedAt: new Date() });

  const { json } = await operator.post('people/export', { email });

  expect(json.tables.subscriptions).toMatchObject([{ stripeSubscriptionId: read, email }]);
  expect(json.tables.checkouts).toMatchObject([
    { stripeCheckoutSessionId: 'cs_1', leadId, email: null },
  ]);
  expect(JSON.stringify(json.tables).toLowerCase()).not.toMatch(others);
});

test('an erasure leaves the checkout of somebody else who paid for the person’s lead', async ({
  operator,
  db,
}) => {
  const { id: leadId } = await storeLead(db, { email });
  for (const [stripeCheckoutSessionId, payer] of [
    ['cs_theirs', email],
    ['cs_unknown', null],
    ['cs_other', 'finance@acquirers.example'],
  ])
    await storeCheckout(db, { stripeCheckoutSessionId, email: payer, leadId });

  await operator.post('people/erase', { email });

  expect(await db('checkouts')).toMatchObject([
    { stripeCheckoutSessionId: 'cs_other', leadId: null },
  ]);
  expect(await db('erased_ids').pluck('id')).not.toContain('cs_other');
});

test('an erasure removes copies of the person’s lead from another’s subscription', async ({
  operator,
  db,
}) => {
  const lead = await storeLead(db, {
    email,
    fullName: 'Priya Raman',
    company: 'Raman & Co',
    phone: '+44 1',
  });
  const payer = {
    email: 'finance@acquirers.example',
    name: 'F. Office',
    company: 'Raman & Co',
    phone: '+44 1',
  };
  await storeSubscription(db, { ...payer, leadId: lead.id });

  await operator.post('people/erase', { email });

  expect(await db('subscriptions')).toMatchObject([
    {
      email: payer.email,
      name: 'F. Office',
      company: null,
      phone: null,
      leadId: null,
      status: 'active',
    },
  ]);
});

test('an erasure removes a bulk retry’s personal filter that matches the person', async ({
  operator,
  db,
}) => {
  const failed = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
  for (const search of ['PRIYA RAM', 'priya@', 'reader.ex', 'somebody else']) {
    const isTheirs = search !== 'somebody else';
    // Each retry takes the current failed leads.
    await storeLead(db, {
      ...failed,
      ...(isTheirs
        ? { email, fullName: 'Priya Raman', phone: '+44 1234567890' }
        : { fullName: 'Somebody Else' }),
    });
    await operator.post('leads/retry', { filter: { search } });
    // One bulk retry runs at a time.
    await db('bulk_retries').update({ finishedAt: db.fn.now() });
  }
  for (const { name } of PERSONAL_FILTERS)
    for (const value of ['Raman 1234567890', 'Raman 999'])
      await db('bulk_retries').insert({
        id: randomUUID(),
        operator: 'j.holt',
        filter: { [name]: value },
        finishedAt: new Date(),
      });

  await operator.post('people/erase', { email });

  expect(
    await db('bulk_retries').whereRaw(`filter <> '{}'`).orderBy('createdAt').pluck('filter'),
  ).toEqual([
    { search: 'somebody else' },
    ...PERSONAL_FILTERS.map(({ name }) => ({ [name]: 'Raman 999' })),
  ]);
});

test('an export finds a person by the email as the database compares it, in any script', async ({
  api,
  db,
}) => {
  const headers = await api.logIn();
  const greek = 'ΟΔΥΣΣΕΥΣ@reader.example';
  await storeLead(db, { email: greek });

  const found = await api.call('POST', '/api/admin/people/export', {
    headers,
    body: { email: greek },
  });
  const { json } = await api.call('POST', '/api/admin/people/erase', {
    headers,
    body: { email: greek },
  });

  expect(found.json.tables.leads).toHaveLength(1);
  expect(json.erased).toMatchObject({ leads: 1 });
  expect(await db('removal_requests').first()).toMatchObject({
    emailNormalised: 'οδυσσευσ@reader.example',
  });
});
