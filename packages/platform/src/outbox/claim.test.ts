import type { Database } from '@site/platform/database/connect';
import { storeSubscription } from '@site/testing/money-builders';
import {
  advanceSyncClock,
  buildOutcome,
  correctLead,
  countLockWaits,
  listClaims,
  openTransaction,
  requestRemoval,
  storeAttempts,
  storeLead,
  storeSubscriber,
  wantTier,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { LeadRow } from '../database/tables.ts';
import { renewEmail } from './email-lease.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { passOnUnknown } from './correction.ts';
import { claimLead } from './claim.ts';
import { recordOutcome } from './outcome.ts';
import { countDueLeads } from './pending.ts';
import { retryLeads } from './retry.ts';

const request = () => ({ attemptId: randomUUID(), worker: 'test' });

/** Runs `work` and returns how many rows of `leads` it read, by an index or without. */
function countLeadsRead(db: Database, work: (trx: Database) => Promise<unknown>): Promise<number> {
  return db.transaction(async (trx) => {
    const read = async () => {
      const { rows } = await trx.raw<{ rows: [{ read: number }] }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
         from pg_stat_xact_user_tables where relname = 'leads'`,
      );
      return rows[0].read;
    };
    const before = await read();
    await work(trx);
    return (await read()) - before;
  });
}

/** Stores a thousand leads with these columns' values. */
const storeThousand = (db: Database, values: string) =>
  db.raw(
    `insert into leads (id, email, form_type, consent_marketing, beehiiv_status, urgency, next_attempt_at)
     select gen_random_uuid(), 'reader' || n || '@many.example', 'pre_buy', true, ${values}
     from generate_series(1, 1000) n`,
  );

describe('claimLead', () => {
  test('a claim takes payers and single retries, then new leads, retries, bulk retries', async ({
    db,
  }) => {
    const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const store = async (given: Partial<LeadRow>) => (await storeLead(db, given)).id;
    const bulkWaited = await store({ urgency: 'bulk', nextAttemptAt: null });
    const bulk = await store({ urgency: 'bulk', nextAttemptAt: secondsAgo(600) });
    const waited = await store({ urgency: 'retry', nextAttemptAt: null });
    const overdue = await store({ urgency: 'retry', nextAttemptAt: secondsAgo(500) });
    const later = await store({ urgency: 'retry', nextAttemptAt: secondsAgo(400) });
    const newer = await store({ nextAttemptAt: secondsAgo(200) });
    const older = await store({ nextAttemptAt: secondsAgo(300) });
    const payer = await store({ email: 'ada@reader.example', nextAttemptAt: secondsAgo(1) });
    const byHand = await store({ beehiivStatus: 'failed', nextAttemptAt: null });
    await wantTier(db, 'Ada@reader.example', 'premium');
    await retryLeads(db, [byHand]);

    const behind = [overdue, later, waited, bulkWaited, bulk];
    expect(await listClaims(db)).toEqual([payer, byHand, older, newer, ...behind]);
    expect(await listClaims(db, 'retry')).toEqual([...behind, payer, byHand, older, newer]);
  });

  test('a retry of several waiting leads makes none of them less urgent', async ({ db }) => {
    const payer = await storeLead(db, { urgency: 'priority', nextAttemptAt: new Date(3_000) });
    const fresh = await storeLead(db, { nextAttemptAt: new Date(1_000) });
    const other = await storeLead(db, { nextAttemptAt: new Date(2_000) });

    await retryLeads(db, [payer.id, fresh.id]);

    expect(await listClaims(db)).toEqual([payer.id, fresh.id, other.id]);
  });

  test('a claim passes over a lead whose email is leased or being erased', async ({ db }) => {
    const twice = await storeLead(db, {
      email: 'ada@reader.example',
      nextAttemptAt: new Date(1_000),
    });
    await storeLead(db, { email: 'ada@reader.example', nextAttemptAt: new Date(2_000) });
    const erased = await storeLead(db, { nextAttemptAt: new Date(3_000) });
    await requestRemoval(db, 'erasure', erased.emailNormalised);
    const free = await storeLead(db);

    expect(await countDueLeads(db, 10)).toBe(3);
    expect(await listClaims(db)).toEqual([twice.id, free.id]);
  });

  test('each of many callers claims a different lead, the last one none', async ({ db }) => {
    for (let n = 0; n < 12; n++) await storeLead(db);

    const runs = await Promise.all(Array.from({ length: 16 }, () => claimLead(db, request())));

    expect(new Set(runs.flatMap((run) => run?.lead.id ?? [])).size).toBe(12);
    expect(await db('lead_sync_attempts')).toHaveLength(12);
  });

  const before = new Date(1_000);
  test.for([
    { choice: 'urgent', first: 'priority', others: 'bulk', dueAt: before },
    { choice: 'urgent', first: 'new', others: 'retry', dueAt: before },
    { choice: 'urgent', first: 'new', others: 'bulk', dueAt: before },
    { choice: 'retry', first: 'retry', others: 'new', dueAt: before },
    { choice: 'urgent', first: 'retry', others: 'bulk', dueAt: before },
    { choice: 'retry', first: 'bulk', others: 'new', dueAt: before },
    { choice: 'urgent', first: 'retry', others: 'bulk', dueAt: null },
  ] as const)(
    'however old the statistics are, a claim of $first beside $others reads few leads',
    async ({ choice, first, others, dueAt }, { db }) => {
      await storeThousand(db, `'pending', '${others}', now() + interval '1 day'`);
      await db.raw('analyze');
      await db('leads').update({ nextAttemptAt: dueAt });
      const nextAttemptAt = dueAt && new Date(2_000);
      const { id } = await storeLead(db, { urgency: first, nextAttemptAt });

      const read = await countLeadsRead(db, async (trx) => {
        expect((await claimLead(trx, { ...request(), choice }))?.lead.id).toBe(id);
      });

      expect(read).toBeLessThan(30);
    },
  );

  test('a claim knows a person whose lead was imported as sent', async ({ db }) => {
    await storeLead(db, {
      email: 'ada@reader.example',
      beehiivStatus: 'sent',
      nextAttemptAt: null,
    });
    await storeLead(db, { email: 'ada@reader.example' });

    expect(await claimLead(db, request())).toMatchObject({ mayBeThereAlready: true });
  });

  test('an email that a corrected lead may have added is looked up first', async ({ db }) => {
    const moved = await storeLead(db, { outcomeUnknown: true, email: 'typo@reader.example' });
    await storeAttempts(db, [moved.id]);
    await correctLead(db, moved, 'right@reader.example');
    await db('leads').update({ nextAttemptAt: null, beehiivStatus: 'failed' });
    const { id } = await storeLead(db, { email: 'typo@reader.example' });
    const isKnown = async () => (await db('leads').where({ id }).first()).outcomeUnknown;

    const before = await isKnown();
    expect(await claimLead(db, request())).toMatchObject({ lead: { id }, mayBeThereAlready: true });
    await passOnUnknown(db, [moved.id]);

    expect([before, await isKnown()]).toEqual([false, true]);
  });

  test('leads that waited in a dump are looked up after its restore', async ({ db }) => {
    await storeLead(db);
    const afterRestore = await readFile(
      new URL('../../../../deploy/after-restore.sql', import.meta.url),
      'utf8',
    );

    await db.raw(afterRestore);

    expect(await claimLead(db, request())).toMatchObject({
      mayBeThereAlready: true,
    });
  });

  const anHourAgo = new Date(Date.now() - 3_600_000);
  const aDayAgo = new Date(Date.now() - 86_400_000);
  test.for([
    ['subscribed', { status: 'active', statusSince: aDayAgo, learnedAt: anHourAgo }, anHourAgo],
    ['unsubscribed', { status: 'inactive', statusSince: aDayAgo, learnedAt: anHourAgo }, aDayAgo],
  ] as const)(
    'a claim has the time since when a person is known to be %s',
    async ([, known, since], { db }) => {
      await storeSubscriber(db, await storeLead(db), known);

      expect(await claimLead(db, request())).toMatchObject({
        mayBeThereAlready: true,
        knownSince: since,
      });
    },
  );

  test.for([
    ['that is not known', {}, null],
    ['sent by a run that died', { beehiivSentAt: anHourAgo }, anHourAgo],
  ] as const)(
    'for a person %s, a claim has the time since when their status is known',
    async ([, known, since], { db }) => {
      const email = 'ada@reader.example';
      if (since !== null)
        await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null, ...known });
      await storeLead(db, { email });

      expect(await claimLead(db, request())).toMatchObject({
        mayBeThereAlready: since !== null,
        knownSince: since,
      });
    },
  );

  test('a claim of a payer’s email has the payer’s own details', async ({ db }) => {
    const email = 'ada@payer.example';
    const sent = { beehiivStatus: 'sent', nextAttemptAt: null } as const;
    const own = await storeLead(db, { ...sent, email, fullName: 'Ada Own', company: null });
    await storeSubscription(db, { email, name: 'Ada Card', company: 'Own Ltd', leadId: own.id });
    await storeLead(db, { email: email.toUpperCase(), fullName: 'A Stranger' });
    await storeLead(db, { email: 'other@reader.example' });

    const runs = [await claimLead(db, request()), await claimLead(db, request())];

    const details = runs.map((run) => [run?.own.id, run?.own.fullName, run?.own.company]);
    expect(details).toContainEqual([own.id, 'Ada Own', 'Own Ltd']);
    expect(details).toContainEqual([undefined, undefined, undefined]);
  });
});

describe('outcomes', () => {
  test('a run that has lost its lead changes nothing', async ({ db }) => {
    await storeLead(db);
    const slow = await claimLead(db, request());
    await advanceSyncClock(db, 46);
    const quick = await claimLead(db, request());
    if (!slow || !quick) throw new Error('not claimed');

    expect(await renewEmail(db, slow.attemptId)).toBe(false);
    const isSlows = await recordOutcome(db, slow, buildOutcome(), { move: 'failed' });
    const isQuicks = await recordOutcome(
      db,
      quick,
      buildOutcome({ class: 'accepted', isOutcomeKnown: true }),
      {
        move: 'sent',
        subscriber: null,
      },
    );

    expect([isSlows, isQuicks]).toEqual([false, true]);
    expect(await db('leads').first()).toMatchObject({
      beehiivStatus: 'sent',
      outcomeUnknown: false,
    });
  });

  test.for([true, false])(
    'only a consent that came during the run is noted: %s',
    async (hadConsent, { db }) => {
      await storeLead(db, { consentMarketing: hadConsent });
      const run = await claimLead(db, request());
      if (!run) throw new Error('not claimed');
      await db('leads').update({ consentMarketing: true });

      await recordOutcome(db, run, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
        move: 'sent',
        subscriber: null,
      });

      const { consentDueAt } = await db('leads').first();
      expect(consentDueAt === null).toBe(hadConsent);
    },
  );

  test('an outcome waits for a claim of its lead without a deadlock', async ({ db }) => {
    const { id } = await storeLead(db);
    const run = await claimLead(db, request());
    const claim = await openTransaction(db);
    await claim('leads').where({ id }).forNoKeyUpdate();

    const outcome = recordOutcome(db, run!, buildOutcome(), { move: 'failed' });
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await claim('lead_sync_attempts').where({ leadId: id }).forUpdate();
    await claim.commit();

    expect(await outcome).toBe(true);
  });

  test('a sent lead has the premium tier of its email set again', async ({ db }) => {
    const { emailNormalised } = await storeLead(db);
    await wantTier(db, emailNormalised, 'premium');
    await db('people').update({ tierConfirmedVersion: 1 });
    const run = await claimLead(db, request());

    await recordOutcome(db, run!, buildOutcome({ class: 'accepted' }), {
      move: 'sent',
      subscriber: null,
    });

    expect(await db('people')).toMatchObject([{ tierVersion: 2, tierConfirmedVersion: 1 }]);
  });

  test('one statement sends a lead and refreshes its person with their status', async ({ db }) => {
    const other = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
    await storeLead(db, { email: other.email });
    await db('people').delete();
    const run = await claimLead(db, request());
    const statements: string[] = [];
    const listener = ({ sql }: { sql: string }) => statements.push(sql);
    db.on('query', listener);

    await recordOutcome(db, run!, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: { id: 'sub_1', status: 'pending' },
    });

    db.off('query', listener);
    expect(statements).toHaveLength(1);
    expect(await db('people')).toMatchObject([
      { email: other.email, state: 'none', subscriberId: 'sub_1', status: 'pending' },
    ]);
    expect(await db('leads').select('beehiivStatus', 'subscriberStatus')).toEqual([
      { beehiivStatus: 'sent', subscriberStatus: 'pending' },
      { beehiivStatus: 'sent', subscriberStatus: 'pending' },
    ]);
  });

  test('a sent lead has the newer status that its person was learned to have', async ({ db }) => {
    const lead = await storeLead(db);
    const run = await claimLead(db, request());
    await storeSubscriber(db, lead, {
      status: 'inactive',
      learnedAt: new Date(Date.now() + 60_000),
    });

    await recordOutcome(db, run!, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: { id: 'sub_1', status: 'active' },
    });

    expect(await db('people')).toMatchObject([{ status: 'inactive' }]);
    expect(await db('leads')).toMatchObject([{ subscriberStatus: 'inactive' }]);
  });

  test('a recorded answer is cut to 4 KiB, between characters', async ({ db }) => {
    await storeLead(db);
    const run = await claimLead(db, request());
    if (!run) throw new Error('not claimed');

    await recordOutcome(db, run, buildOutcome({ response: `\0x${'ß'.repeat(5_000)}` }), {
      move: 'wait',
      delayMs: 1_000,
      spendsBudget: true,
    });

    const row = await db('leads').first();
    expect(row.beehiivResponse).toBe(`x${'ß'.repeat(2_047)}`);
    expect(row).toMatchObject({ beehiivStatus: 'pending', budgetSpent: 1, outcomeUnknown: true });
  });

  test('an outcome reads few leads, however many were sent since the statistics', async ({
    db,
  }) => {
    await storeLead(db);
    const run = await claimLead(db, request());
    await storeThousand(db, `'pending', 'new', now() + interval '1 day'`);
    await db.raw('analyze');
    await db('leads').whereNot({ id: run!.lead.id }).delete();
    await storeThousand(db, `'sent', 'new', null`);

    const read = await countLeadsRead(db, (trx) =>
      recordOutcome(trx, run!, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
        move: 'sent',
        subscriber: null,
      }),
    );

    expect(read).toBeLessThan(30);
  });
});
