import { storeCheckout as storeAny, storeSubscription } from '@site/testing/money-builders';
import { storeLead } from '@site/testing/builders';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import type { Database } from '@site/platform/database/connect';

/** The fields that a list's row shows or its actions need. */
const ROW =
  'id email fullName company formType submittedAt updatedAt utmSource utmCampaign country region city beehiivStatus beehiivReason beehiivResponse beehiivSentAt subscriberStatus nextAttemptAt failedAt quarantineReason consentMarketing name state'.split(
    ' ',
  );
/** The other fields of a lead in the specification. */
const SPECIFIED =
  'phone message consentTimestamp utmMedium utmTerm utmContent gclid fbclid ttclid landingPage firstPage referrer sessionId gaClientId userAgent ipAddress deviceType createdAt'.split(
    ' ',
  );

test('the list sends the specified fields and those of its columns, and nothing else', async ({
  operator,
  db,
}) => {
  const { id } = await storeLead(db, {
    ipAddress: '203.0.113.9',
    visitUtmSource: 'newsletter',
    traceId: 't',
  });

  const { json } = await operator.get('leads');

  expect(Object.keys(json.leads[0]).toSorted()).toEqual([...ROW, ...SPECIFIED].toSorted());
  expect(json.leads[0]).toMatchObject({ id, ipAddress: '203.0.113.9' });
  const { json: detail } = await operator.get(`leads/${id}`);
  const { name: _name, state: _state, ...row } = json.leads[0];
  expect(detail.lead).toMatchObject({
    ...row,
    visitUtmSource: 'newsletter',
    traceId: 't',
  });
});

test('a list is sent compressed, and a file is not', async ({ api, db }) => {
  for (let n = 0; n < 3; n++) await storeLead(db);
  const headers = { ...(await api.logIn()), 'Accept-Encoding': 'gzip' };
  const get = async (path: string) => fetch(`${api.url}/api/admin/${path}`, { headers });

  const [list, file] = [await get('leads'), await get('leads/export/csv')];

  expect([list, file].map((answer) => answer.headers.get('Content-Encoding'))).toEqual([
    'gzip',
    null,
  ]);
  expect(((await list.json()) as { leads: unknown[] }).leads).toHaveLength(3);
  expect((await file.text()).trim().split('\r\n')).toHaveLength(4);
});

test('the list counts leads newer than `upTo`, except with the oldest first', async ({
  operator,
  db,
}) => {
  const get = async (query: string) => (await operator.get(`leads?${query}`)).json;
  const [older, first] = [
    await storeLead(db, { submittedAt: new Date('2025-12-03T09:00:00Z') }),
    await storeLead(db, { submittedAt: new Date('2025-12-03T09:01:00Z') }),
  ];
  const { topCursor, newer: none } = await get('');
  const later = await storeLead(db, { submittedAt: new Date('2025-12-03T09:02:00Z') });

  const { leads, newer, counts } = await get(`upTo=${topCursor}`);
  const oldest = await get(`upTo=${topCursor}&sort=oldest`);

  expect(leads.map(({ id }: { id: string }) => id)).toEqual([first.id, older.id]);
  expect([none, newer, counts.total]).toEqual([0, 1, 3]);
  expect(oldest.leads.map(({ id }: { id: string }) => id)).toEqual([older.id, first.id, later.id]);
  expect(oldest.newer).toBe(0);
});

const NOW = new Date('2025-12-03T10:00:00Z');
const LATER = new Date('2026-01-02T10:00:00Z');

const storeCheckout = (db: Database, given: object) => storeAny(db, { startedAt: NOW, ...given });

/**
 * Stores three leads: one abandoned its checkout, one paid later with another email, one never
 * opened a checkout.
 */
async function storeThree(db: Database) {
  const gone = await storeLead(db, { email: 'gone@reader.example', submittedAt: NOW });
  const back = await storeLead(db, { email: 'back@reader.example' });
  const never = await storeLead(db, { email: 'never@reader.example', formType: 'pre_sample' });
  await storeCheckout(db, { leadId: gone.id, email: 'gone@reader.example' });
  await storeCheckout(db, { leadId: gone.id });
  await storeCheckout(db, { leadId: back.id });
  await storeCheckout(db, { leadId: back.id, state: 'complete', email: 'work@reader.example' });
  return { gone, back, never };
}

describe('abandoned checkouts', () => {
  test('the list counts abandoned checkouts up to 1,000', async ({ api, operator }) => {
    const { db } = api.deps;
    const list = async () => (await operator.get('leads?checkout=abandoned')).json;
    const abandon = (from: number, to: number) =>
      db.raw(
        `with added as (insert into leads (id, email, form_type)
           select gen_random_uuid(), n || '@reader.example', 'pre_buy' from generate_series(?::int, ?::int) n returning id)
         insert into checkouts (stripe_checkout_session_id, lead_id, state, started_at, snapshot_at)
           select 'cs_' || id, id, 'abandoned', now(), now() from added`,
        [from, to],
      );

    await abandon(1, 1_000);
    expect(await list()).toMatchObject({ counts: { total: 1_000 }, isCapped: false });
    await abandon(1_001, 1_003);
    expect(await list()).toMatchObject({ counts: { total: 1_000 }, isCapped: true });
  });

  test('abandoned checkouts are counted under every status of the list', async ({
    api,
    operator,
  }) => {
    await storeThree(api.deps.db);
    const count = async (query: string) =>
      (await operator.get(`leads?checkout=abandoned${query}`)).json.counts.total;

    expect(await count('')).toBe(1);
    expect(await count('&status=sent')).toBe(1);
    expect(await count('&formType=pre_buy')).toBe(1);
    expect(await count('&formType=pre_sample')).toBe(0);
    expect(await count('&search=back')).toBe(0);
  });
});

test('a lead’s checkout has its recovery link and whether it was abandoned', async ({
  api,
  operator,
}) => {
  const { db } = api.deps;
  const { gone, back, never } = await storeThree(db);
  await db('checkouts')
    .where({ leadId: gone.id })
    .update({ recoveryUrl: 'https://stripe.example/r/1', recoveryEndsAt: LATER });
  const read = async (id: string) => (await operator.get(`leads/${id}`)).json;

  expect((await read(gone.id)).checkouts[0]).toMatchObject({
    isAbandoned: true,
    startedAt: NOW.toISOString(),
    recoveryUrl: 'https://stripe.example/r/1',
    recoveryEndsAt: LATER.toISOString(),
  });
  expect((await read(back.id)).checkouts).toMatchObject([
    { isAbandoned: false },
    { isAbandoned: false },
  ]);
  expect(await read(never.id)).toMatchObject({ checkouts: [], subscriptions: [] });
});

test('a lead’s checkout is shown with its subscription and its stage', async ({
  api,
  operator,
}) => {
  const { db } = api.deps;
  const lead = await storeLead(db);
  await storeSubscription(db, {
    stripeSubscriptionId: 'sub_1',
    email: 'work@reader.example',
    leadId: lead.id,
    status: 'past_due',
    plan: 'annual',
    coupon: 'annual25',
    amountPence: 215_100,
    periodEndsAt: LATER,
    paymentAttempts: 2,
    nextPaymentAttemptAt: LATER,
    firstPaidAt: null,
  });

  const { json } = await operator.get(`leads/${lead.id}`);

  expect(json.subscriptions).toEqual([
    {
      stripeSubscriptionId: 'sub_1',
      readers: [],
      dashboardUrl: 'https://dashboard.stripe.com/test/subscriptions/sub_1',
      email: 'work@reader.example',
      stage: 'dunning',
      plan: 'annual',
      coupon: 'annual25',
      amountPence: 215_100,
      currency: 'gbp',
      invoices: [],
      openDispute: null,
      totals: [],
      startedAt: null,
      firstPaidAt: null,
      cancellationFeedback: null,
      trialEndsAt: null,
      periodEndsAt: LATER.toISOString(),
      cancelAt: null,
      endedAt: null,
      paymentAttempts: 2,
      nextPaymentAttemptAt: LATER.toISOString(),
      decline: null,
      isCollectionPaused: false,
      unreadParts: [],
      unsettled: null,
      other: null,
      customerUrl: 'https://dashboard.stripe.com/test/customers/cus_1',
    },
  ]);
});
