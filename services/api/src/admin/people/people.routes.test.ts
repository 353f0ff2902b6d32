import { tidyEmail } from '@site/schema/email';
import { storeLead, storePerson } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { storeInvoice, storeRefund, storeSubscription } from '@site/testing/money-builders';

const FAILED = { beehiivStatus: 'failed', nextAttemptAt: null } as const;

test('a person is the same for any lead of the email', async ({ operator, db }) => {
  const old = await storeLead(db, {
    email: 'ada@x.example',
    submittedAt: new Date('2025-01-01'),
    ...FAILED,
  });
  const { id } = await storeLead(db, { email: 'Ada@x.example', ...FAILED });
  const first = await storeSubscription(db, {
    email: 'ada@x.example',
    startedAt: new Date('2025-01-02'),
  });
  const second = await storeSubscription(db, {
    email: 'ADA@x.example',
  });
  const payer = { email: 'sam@x.example', startedAt: new Date('2025-01-01') };
  const forThem = await storeSubscription(db, { ...payer, leadId: old.id });
  await storeSubscription(db, payer);
  await storePerson(db, { emailNormalised: 'ada@x.example', tier: 'premium' });

  const [fromNew, fromOld] = [
    await operator.get(`leads/${id}/person`),
    await operator.get(`leads/${old.id}/person`),
  ];

  const { leads, subscriptions, notReceiving } = fromNew.json;
  expect(fromOld.json).toMatchObject({
    lead: { id: old.id },
    leads,
    subscriptions,
    notReceiving,
  });
  expect(fromNew.json).toMatchObject({
    lead: { id },
    leads: [{ id }, { id: old.id }],
    subscriptions: [second, first, forThem].map((stripeSubscriptionId) => ({
      stripeSubscriptionId,
    })),
    notReceiving: { reason: 'failed', leadId: id, remedy: 'send-lead' },
    subscriber: null,
  });
  expect(await db('operator_actions').where({ action: 'read-lead' })).toMatchObject([
    { subject: id, detail: { of: 'person' } },
    { subject: old.id, detail: { of: 'person' } },
  ]);
  expect((await operator.get(`leads/${id}`)).json.history).toContainEqual(
    expect.objectContaining({ kind: 'action', detail: 'read-person' }),
  );
  expect((await operator.get(`leads/${randomUUID()}/person`)).status).toBe(404);
});

test('lists show the subscription that continues', async ({ operator, db }) => {
  const { id } = await storeLead(db, {
    email: 'ada@x.example',
    submittedAt: new Date('2026-01-01'),
  });
  const of = { email: 'ada@x.example', leadId: id, status: 'trialing', firstPaidAt: null };
  await storeSubscription(db, { ...of, startedAt: new Date('2026-01-02') });
  const newer = await storeSubscription(db, { ...of, startedAt: new Date('2026-01-03') });
  const readState = async () => {
    await db.raw('select judge_person(?)', ['ada@x.example']);
    const [{ state, reason }] = (await operator.post('people/search', {})).json.people;
    return { state, reason };
  };

  const readOthers = async () =>
    (await operator.get(`leads/${id}/person`)).json.subscriptions.map(
      ({ other }: { other: unknown }) => other,
    );
  const others = [await readOthers()];
  const changes = [
    { cancelAt: new Date('2026-02-03'), canceledAt: new Date('2026-01-04') },
    { status: 'canceled', endedAt: new Date('2026-01-05') },
  ];
  for (const end of changes) {
    await db('subscriptions').where({ stripeSubscriptionId: newer }).update(end);
    expect(await readState()).toEqual({ state: 'trial', reason: null });
    others.push(await readOthers());
  }
  const isOther = { until: null };
  const ends = { until: '2026-02-03T00:00:00.000Z' };
  expect(others).toEqual([
    [isOther, isOther],
    [isOther, ends],
    [isOther, null],
  ]);
  // A subscription with a failed payment may be cancelled too.
  await db('subscriptions')
    .where({ stripeSubscriptionId: newer })
    .update({ status: 'past_due', endedAt: null });
  expect((await readOthers())[1]).toEqual(ends);
});

describe('notes', () => {
  test('a note belongs to the person, and leaves an audit row without the text', async ({
    operator,
    db,
  }) => {
    const first = await storeLead(db, { email: 'ada@x.example' });
    const second = await storeLead(db, { email: 'ADA@x.example' });
    const other = await storeLead(db);

    const written = await operator.post(`leads/${first.id}/notes`, {
      text: '  Prefers to be called ',
    });
    await operator.post(`leads/${second.id}/notes`, { text: 'Away in May' });

    expect(written).toMatchObject({
      status: 201,
      json: { text: 'Prefers to be called', operator: 'j.holt' },
    });
    for (const { id } of [first, second]) {
      const { notes } = (await operator.get(`leads/${id}/notes`)).json;
      expect(notes.map(({ text }: { text: string }) => text)).toEqual([
        'Away in May',
        'Prefers to be called',
      ]);
    }
    expect((await operator.get(`leads/${other.id}/notes`)).json).toEqual({ notes: [] });
    expect(
      await db('operator_actions').where({ action: 'note' }).select('subject', 'detail'),
    ).toEqual([
      { subject: first.id, detail: {} },
      { subject: second.id, detail: {} },
    ]);
  });

  test('a note has 1 to 2,000 characters, and needs a lead', async ({ operator, db }) => {
    const { id } = await storeLead(db);

    expect((await operator.post(`leads/${id}/notes`, { text: ' ' })).status).toBe(422);
    expect((await operator.post(`leads/${id}/notes`, { text: 'x'.repeat(2_001) })).status).toBe(
      422,
    );
    expect((await operator.post(`leads/${id}/notes`, { text: '𝒳'.repeat(2_000) })).status).toBe(
      201,
    );
    expect((await operator.post(`leads/${randomUUID()}/notes`, { text: 'x' })).status).toBe(404);
  });

  test('a note is deleted alone, from a lead of its person, and leaves an audit row', async ({
    operator,
    db,
  }) => {
    const [{ id }, other] = [
      await storeLead(db),
      await storeLead(db, { email: 'other@x.example' }),
    ];
    const written = await operator.post(`leads/${id}/notes`, { text: 'Away in May' });
    await operator.post(`leads/${id}/notes`, { text: 'Prefers to be called' });
    const remove = async (leadId: string) =>
      (await operator.remove(`leads/${leadId}/notes/${written.json.id}`)).status;

    expect([await remove(other.id), await remove(id), await remove(id)]).toEqual([404, 204, 404]);

    expect(await db('notes').pluck('text')).toEqual(['Prefers to be called']);
    expect(await db('operator_actions').where({ action: 'delete-note' }).pluck('subject')).toEqual([
      id,
    ]);
  });

  test('notes go along with a corrected email, unless somebody else uses it', async ({
    operator,
    db,
  }) => {
    const moving = await storeLead(db, { email: 'ada@gmial.example' });
    const shared = await storeLead(db, { email: 'desk@x.exmaple', fullName: 'Ada Byron' });
    await storeLead(db, { email: 'desk@x.exmaple', fullName: 'Somebody Else' });
    for (const { id } of [moving, shared])
      await operator.post(`leads/${id}/notes`, { text: 'Away in May' });

    await operator.post(`leads/${moving.id}/correct`, { email: 'ada@gmail.example' });
    await operator.post(`leads/${shared.id}/correct`, { email: 'ada@x.example' });
    await operator.post(`leads/${moving.id}/notes`, { text: 'Written on the old page' });

    expect(await db('notes').orderBy('createdAt').pluck('email_normalised')).toEqual([
      'ada@gmail.example',
      'desk@x.exmaple',
      'ada@gmail.example',
    ]);
  });

  test('notes are deleted with their person, and not shown on a later lead', async ({
    operator,
    db,
  }) => {
    const email = 'bot@x.example';
    const bot = { email, beehiivStatus: 'failed', nextAttemptAt: null } as const;
    const { id } = await storeLead(db, { ...bot, quarantineReason: 'too-fast' });
    await operator.post(`leads/${id}/notes`, { text: 'Looks like a bot' });

    await operator.post('leads/delete-quarantined', { ids: [id] });

    expect(await db('notes')).toEqual([]);
    const later = await storeLead(db, { email });
    expect((await operator.get(`leads/${later.id}/notes`)).json).toEqual({ notes: [] });
  });
});

test('list, panel and People show one name: the payer’s own, else the newest', async ({
  operator,
  db,
}) => {
  const email = 'ada@x.example';
  const names = async (id: string) => {
    const { leads } = (await operator.get('leads')).json;
    const { people } = (await operator.post('people/search', { text: email })).json;
    const panel = (await operator.get(`leads/${id}/person`)).json;
    return new Set([...leads, ...people, panel].map(({ name }) => name));
  };
  const first = { email, fullName: 'ada byron', submittedAt: new Date('2025-01-01') };
  const { id } = await storeLead(db, first);
  expect(await names(id)).toEqual(new Set(['ada byron']));
  await storeLead(db, { email, fullName: 'Ada Byron', submittedAt: new Date('2025-01-02') });
  await storeLead(db, { email, fullName: null });
  await db.raw('select judge_person(?)', [email]);
  expect(await names(id)).toEqual(new Set(['Ada Byron']));

  await storeSubscription(db, { email, name: 'Augusta Ada King' });

  expect(await names(id)).toEqual(new Set(['Augusta Ada King']));
});

test.for([
  ['\u202Eİnfo@Fİrma\u200B.example', 'info@FIRMA.example', 'info@firma.example'],
  ['ΝΙΚΟΣ@ΟΔΟΣ.example', 'Νικοσ@οδοσ.example', 'νικοσ@οδοσ.example'],
] as const)(
  '%j is one person in form, search, export and erasure',
  async ([typed, otherwise, emailNormalised], { api, operator, db }) => {
    const post = (email: string) =>
      api.call('POST', '/api/lead/subscribe', {
        body: { email, fullName: 'Ada', formType: 'pre_buy' },
        headers: { 'Idempotency-Key': 'one' },
      });
    const first = await post(typed);
    const repeat = await post(otherwise);
    const { id } = first.json;
    await storeSubscription(db, { email: tidyEmail(typed), status: 'canceled', leadId: id });
    await operator.post(`leads/${id}/notes`, { text: 'Away in May' });

    expect([first.status, repeat.status]).toEqual([201, 200]);
    expect(await db('leads')).toMatchObject([{ id, emailNormalised }]);
    for (const text of [typed, otherwise, emailNormalised]) {
      const { people } = (await operator.post('people/search', { text })).json;
      expect(people).toMatchObject([{ leadIds: [id] }]);
      const held = await operator.post('people/lookup', { email: text });
      expect(held.json.rows).toMatchObject({ leads: 1, subscriptions: 1, notes: 1 });
      const exported = await operator.post('people/export', { email: text });
      expect(exported.json.tables).toMatchObject({
        leads: [{ emailNormalised, fullName: 'Ada' }],
        subscriptions: [{ emailNormalised }],
        notes: [{ text: 'Away in May' }],
      });
    }
    expect((await operator.get(`leads/${id}/person`)).json.others).toEqual([]);

    const erased = await operator.post('people/erase', { email: otherwise });

    expect(erased.json.erased).toMatchObject({ leads: 1, subscriptions: 1, notes: 1 });
    expect(await db('people')).toEqual([]);
  },
);

test('people are narrowed by plan, group and days, sorted, and exported as listed', async ({
  newApi,
  db,
}) => {
  const api = await newApi({
    SMTP_URL: 'smtp://127.0.0.1:1',
    ALERT_EMAIL: 'owner@ledger.example',
    MAIL_FROM: 'site@ledger.example',
  });
  const headers = await api.logIn();
  const tomorrow = new Date(Date.now() + 36 * 3_600_000);
  const paid = new Date('2026-03-29T23:30:00Z');
  const pays = async (email: string, totalPence: number, more: object) => {
    const stripeSubscriptionId = await storeSubscription(db, { email, startedAt: paid, ...more });
    return storeInvoice(db, { stripeSubscriptionId, totalPence, paidAt: paid });
  };
  await storeLead(db, { email: 'lead@x.example', fullName: '=1+1' });
  // Summer time begins on 29 March, so this is the 30th in London.
  await pays('month@x.example', 500, { firstPaidAt: paid, periodEndsAt: tomorrow });
  const year = await pays('year@x.example', 9_000, {
    plan: 'annual',
    firstPaidAt: new Date('2026-03-01T12:00:00Z'),
    periodEndsAt: new Date('2099-01-01'),
  });
  await storeSubscription(db, {
    email: 'trial@x.example',
    status: 'trialing',
    trialEndsAt: tomorrow,
    startedAt: new Date('2026-02-01T12:00:00Z'),
  });
  await storeSubscription(db, {
    email: 'left@x.example',
    status: 'trialing',
    trialEndsAt: tomorrow,
    cancelAt: tomorrow,
    startedAt: new Date('2026-01-01T12:00:00Z'),
  });
  const list = async (body: object) =>
    (await api.call('POST', '/api/admin/people/search', { headers, body })).json.people.map(
      ({ email }: { email: string }) => email.split('@')[0],
    );

  expect(await list({})).toEqual(['lead', 'month', 'year', 'trial', 'left']);
  expect(await list({ sort: 'oldest' })).toEqual(['left', 'trial', 'year', 'month', 'lead']);
  expect((await list({ sort: 'most' })).slice(0, 2)).toEqual(['year', 'month']);
  expect((await list({ sort: 'least' })).slice(-2)).toEqual(['month', 'year']);
  expect(await list({ plan: 'annual' })).toEqual(['year']);
  expect(await list({ startDate: '2026-03-30', endDate: '2026-03-30' })).toEqual(['month']);
  expect(await list({ group: 'payers' })).toEqual(['month', 'year']);
  expect(await list({ group: 'trials-due' })).toEqual(['trial']);
  expect(await list({ group: 'renewals-due' })).toEqual(['month']);
  expect(await list({ text: 'x.example', plan: 'monthly', sort: 'oldest' })).toEqual([
    'left',
    'trial',
    'month',
  ]);

  await storeRefund(db, year, { amountPence: 8_900, refundedAt: paid });
  expect((await list({ sort: 'most' })).slice(0, 2)).toEqual(['month', 'year']);
  await db('stripe_refunds').update({ status: 'failed', failedAt: paid });
  expect((await list({ sort: 'most' })).slice(0, 2)).toEqual(['year', 'month']);

  const csv = (body: object) => api.call('POST', '/api/admin/people/csv', { headers, body });
  const { text, headers: sent } = await csv({ sort: 'most', group: 'payers' });
  expect(sent.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(text.replace('\uFEFF', '').split('\r\n').slice(0, 3)).toEqual([
    'name,email,company,state,since,until,reason,plan,paidNet',
    ',"year@x.example",,"paying",2026-03-01T12:00:00Z,,,"annual",90.00',
    ',"month@x.example",,"paying",2026-03-29T23:30:00Z,,,"monthly",5.00',
  ]);
  expect((await csv({ state: 'none' })).text).toContain(`"'=1+1"`);
  expect((await csv({ text: 'month@x.example' })).text.trim().split('\r\n')).toHaveLength(2);
  expect(await db('notices').where({ channel: 'mail' })).toHaveLength(1);
  await csv({});
  expect(await db('notices').where({ channel: 'mail' })).toHaveLength(2);
  const recorded = db('operator_actions').where({ action: 'export-people' }).orderBy('id');
  expect((await recorded).map(({ detail }) => detail)).toEqual([
    { sort: 'most', group: 'payers' },
    { state: 'none' },
    { isSearch: true },
    {},
  ]);
});
