import { storeLead, storeSubscriber } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadRow, SyncAttemptRow } from '@site/platform/database/tables';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { fillReasons, fillSubscribers } from './backfill.ts';

const never = new AbortController().signal;

/** Stores a failed lead with its last attempt, as version 0.2.0 did. */
async function storeOld(
  db: Database,
  attempt: Partial<SyncAttemptRow>,
  given: Partial<LeadRow> = {},
) {
  const { id } = await storeLead(db, { beehiivStatus: 'failed', nextAttemptAt: null, ...given });
  await db('lead_sync_attempts').insert({
    id: randomUUID(),
    leadId: id,
    kind: 'push',
    round: 1,
    number: 1,
    worker: 'w',
    ...attempt,
  });
  return id;
}

test('what version 0.2.0 recorded gets its reasons, and nothing else of it changes', async ({
  db,
}) => {
  const old: [Partial<SyncAttemptRow>, string | null][] = [
    [{ class: 'permanent', httpStatus: 422 }, 'email-invalid'],
    [{ class: 'permanent', httpStatus: 400 }, 'request-refused'],
    [{ class: 'permanent', httpStatus: 201 }, 'address-rejected'],
    [{ class: 'permanent', httpStatus: 404, kind: 'tier' }, 'tier-not-subscribed'],
    [{ class: 'permanent', httpStatus: 200, kind: 'tier' }, 'tier-unchanged'],
    [{ class: 'configuration', httpStatus: 401 }, 'key-refused'],
    [{ class: 'configuration', httpStatus: 404 }, 'publication-unknown'],
    [{ class: 'transient', httpStatus: 401 }, 'this-request-only'],
    [{ class: 'transient', httpStatus: 503 }, 'server-error'],
    [{ class: 'transient', httpStatus: 200 }, 'unreadable'],
    [{ class: 'transient', httpStatus: 302 }, 'unexpected'],
    [{ class: 'transient', httpStatus: null }, 'no-answer'],
    [{ class: 'rate-limited', httpStatus: 429 }, 'rate-limited'],
    [{ class: 'unknown', httpStatus: null }, 'not-recorded'],
    [{ class: 'accepted', httpStatus: 201 }, null],
    [{ class: null, httpStatus: null }, null],
  ];
  const expected = new Map<string, string | null>();
  for (const [attempt, reason] of old) expected.set(await storeOld(db, attempt), reason);
  const before = await db('leads').orderBy('id');

  await fillReasons({ db }, never, 5);

  const attempts = await db<SyncAttemptRow>('lead_sync_attempts');
  expect(new Map(attempts.map(({ leadId, reason }) => [leadId, reason]))).toEqual(
    new Map([...expected].map(([id, reason]) => [id, reason])),
  );
  const isAnswer = ({ kind, class: given }: SyncAttemptRow) =>
    kind === 'push' && given !== 'unknown';
  const others = new Set(
    attempts.flatMap((attempt) => (isAnswer(attempt) ? [] : [attempt.leadId])),
  );
  const filled = before.map((lead) => ({
    ...lead,
    beehiivReason: others.has(lead.id) ? null : expected.get(lead.id),
  }));
  expect(await db('leads').orderBy('id')).toEqual(filled);
});

test('a lead gets the reason of its last answer, also if version 0.2.0 recorded that after this one', async ({
  db,
}) => {
  const startedAt = new Date('2026-01-01T10:00:00Z');
  const retried = await storeOld(db, { class: 'transient', httpStatus: 500, startedAt });
  await db('lead_sync_attempts').insert({
    id: randomUUID(),
    leadId: retried,
    kind: 'push',
    round: 2,
    number: 1,
    worker: 'w',
    class: 'permanent',
    httpStatus: 422,
  });
  const aMinuteAgo = new Date(Date.now() - 61_000);
  const stale = { beehiivReason: 'server-error', updatedAt: aMinuteAgo } as const;
  const overtaken = await storeOld(db, { class: 'permanent', httpStatus: 422 }, stale);
  const justRecorded = await storeOld(
    db,
    { class: 'permanent', httpStatus: 422 },
    { beehiivReason: 'server-error' },
  );

  await fillReasons({ db }, never);

  expect(await db('leads').where({ id: retried }).first()).toMatchObject({
    beehiivReason: 'email-invalid',
  });
  expect(await db('leads').where({ id: overtaken }).first()).toMatchObject({
    beehiivReason: 'email-invalid',
  });
  expect(await db('leads').where({ id: justRecorded }).first()).toMatchObject({
    beehiivReason: 'server-error',
  });
});

test('receipts and unsubscribe requests of version 0.2.0 get their reasons', async ({ db }) => {
  const row = { requestedBy: 'j.holt', emailNormalised: null, doneAt: new Date() };
  await db('erasures').insert({
    ...row,
    id: randomUUID(),
    erased: '{}',
    lastMessage: 'Beehiiv does not know the address',
  });
  await db('unsubscribe_requests').insert({
    ...row,
    id: randomUUID(),
    lastMessage: 'Somebody else uses this address',
  });

  await fillReasons({ db }, never);

  expect(await db('erasures').pluck('reason')).toEqual(['not-subscribed']);
  expect(await db('unsubscribe_requests').pluck('reason')).toEqual(['address-used']);
});

describe('fillSubscribers', () => {
  const sent = { beehiivStatus: 'sent', nextAttemptAt: null } as const;
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

  test('the backfill takes the newest that the leads of a person know, and they agree', async ({
    db,
  }) => {
    const email = 'ada@reader.example';
    const known = { ...sent, email, subscriberId: 'sub_1' };
    await storeLead(db, { ...known, subscriberStatus: 'active', subscriberCheckedAt: hoursAgo(9) });
    const newest = await storeLead(db, {
      ...known,
      subscriberStatus: 'inactive',
      subscriberCheckedAt: hoursAgo(3),
    });
    await storeLead(db, { ...sent, email: 'imported@reader.example', subscriberStatus: 'active' });
    await storeLead(db);
    const before = await db('leads').orderBy('id').select('id', 'updatedAt');

    await fillSubscribers({ db }, never, 2);

    expect(await db('subscribers').orderBy('emailNormalised')).toMatchObject([
      {
        emailNormalised: email,
        subscriberId: 'sub_1',
        status: 'inactive',
        statusSince: newest.subscriberCheckedAt,
      },
      { emailNormalised: 'imported@reader.example', subscriberId: null, status: 'active' },
    ]);
    expect(await db('leads').where({ email })).toMatchObject([
      { subscriberStatus: 'inactive' },
      { subscriberStatus: 'inactive' },
    ]);
    expect(await db('leads').orderBy('id').select('id', 'updatedAt')).toEqual(before);
  });

  test('the backfill changes nothing that was learned later, and nothing twice', async ({ db }) => {
    const lead = await storeLead(db, {
      ...sent,
      subscriberStatus: 'active',
      subscriberCheckedAt: hoursAgo(3),
    });
    await storeSubscriber(db, lead, { status: 'inactive', learnedAt: hoursAgo(1) });
    await storeLead(db, { ...sent, subscriberStatus: 'pending', subscriberCheckedAt: hoursAgo(3) });

    const readVersions = () =>
      db('subscribers').orderBy('emailNormalised').select('*', db.raw('xmin::text'));
    await fillSubscribers({ db }, never);
    const once = await readVersions();
    await fillSubscribers({ db }, never);

    expect(once).toHaveLength(2);
    expect(await readVersions()).toEqual(once);
    expect(await db('subscribers').where({ emailNormalised: lead.emailNormalised })).toMatchObject([
      { status: 'inactive' },
    ]);
  });

  test('the backfill takes up what version 0.2.0 learned after a rollback', async ({ db }) => {
    const lead = await storeLead(db, { ...sent, subscriberCheckedAt: hoursAgo(1) });
    await storeSubscriber(db, lead, { status: 'active', learnedAt: hoursAgo(3) });
    await db('leads').update({ subscriberStatus: 'inactive' });

    await fillSubscribers({ db }, never);

    expect(await db('subscribers')).toMatchObject([{ status: 'inactive' }]);
  });
});

test('sent leads that were stored before their states were counted are counted by them, and nothing twice', async ({
  db,
}) => {
  const states = ['active', 'active', 'inactive', null, 'active'];
  for (const [n, subscriberStatus] of states.entries()) {
    const submittedAt = new Date(n < 4 ? '2026-06-30T22:30:00Z' : '2026-06-30T23:30:00Z');
    await storeLead(db, {
      beehiivStatus: 'sent',
      nextAttemptAt: null,
      subscriberStatus,
      submittedAt,
    });
  }
  await storeLead(db, { subscriberStatus: 'active' });
  const counted = async () => {
    const sums = db('lead_counts')
      .groupBy('day', 'beehiivStatus', 'subscriberStatus')
      .havingRaw('sum(leads) <> 0');
    return sums
      .orderByRaw('1, 2, 3')
      .select('day', 'beehiivStatus', 'subscriberStatus')
      .sum({ leads: 'leads' });
  };
  const expected = await counted();
  await query(
    db,
    `create table before as select day, form_type, beehiiv_status, '' as state, shard, sum(leads) as leads
    from lead_counts group by 1, 2, 3, 4, 5`,
  );
  await query(db, 'delete from lead_counts');
  await query(
    db,
    'insert into lead_counts (day, form_type, beehiiv_status, subscriber_status, shard, leads) select * from before',
  );
  await db('leads').where({ subscriberStatus: 'inactive' }).update({ subscriberStatus: 'pending' });
  await db('leads').where({ subscriberStatus: 'pending' }).update({ subscriberStatus: 'inactive' });

  for (let times = 0; times < 2; times++) {
    await fillReasons({ db }, never);
    expect(await counted()).toEqual(expected);
  }
});

test('subscriptions that version 0.2.0 stored get the source of their lead, and nothing else of them changes', async ({
  db,
}) => {
  await query(db, 'alter table subscriptions disable trigger subscriptions_source');
  for (const [n, lead] of [
    { utmSource: 'nav_sub' },
    { referrer: 'https://partner.example/ada' },
    {},
  ].entries()) {
    const { id: leadId } = await storeLead(db, lead);
    await db('subscriptions').insert({
      id: randomUUID(),
      leadId,
      stripeSubscriptionId: `sub_${n}`,
      stripeCustomerId: 'cus_1',
      status: 'active',
      plan: 'monthly',
      amountPence: 23_900,
      snapshotAt: new Date(),
    });
  }
  await query(db, 'alter table subscriptions enable trigger subscriptions_source');
  const before = await db('subscriptions').orderBy('stripeSubscriptionId');

  await fillReasons({ db }, never, 2);

  expect(await db('subscriptions').orderBy('stripeSubscriptionId')).toEqual([
    { ...before[0], utmSource: 'nav_sub' },
    { ...before[1], referrer: 'https://partner.example' },
    before[2],
  ]);
});
