// @module-tag long
import {
  advanceSyncClock,
  countLockWaits,
  judgeDue,
  storeAttempt,
  storeLead,
  storePerson,
} from '@site/testing/builders';
import { task } from '@site/platform/database/task';
import type { Database } from '@site/platform/database/connect';
import { findConditions } from '@site/platform/health/sync-conditions';
import { readSyncFacts } from '@site/platform/health/read-sync-facts';
import { describe, expect, vi } from 'vitest';
import { NOW, test } from '../testing/mail.fixture.ts';
import {
  storeDispute,
  storeInvoice,
  storeRefund,
  storeSubscription,
} from '@site/testing/money-builders';

let disputes = 0;
/** Sets each subscription's tier an hour ago, because a recent tier would not count as missing. */
const giveTiers = async (db: Database) =>
  db('people')
    .whereNotNull('entitledBy')
    .where({ tierConfirmedVersion: 0 })
    .update({ tierSince: db.raw(`sync_now() - interval '1 hour'`), tierAttempts: 1 });

async function dispute(db: Database, given: object, times = 1): Promise<void> {
  disputes += 1;
  const id = String(disputes);
  const { id: leadId } = await storeLead(db, {
    email: `payer${id}@reader.example`,
    beehiivStatus: 'sent',
    beehiivSentAt: NOW,
    nextAttemptAt: null,
    subscriberStatus: 'active',
  });
  const stripeSubscriptionId = await storeSubscription(db, {
    email: `payer${id}@reader.example`,
    status: 'canceled',
    leadId,
    ...given,
  });
  const paid = await storeInvoice(db, { stripeSubscriptionId });
  for (let n = 1; n <= times; n += 1)
    await storeDispute(db, paid, {
      evidenceDueAt: new Date('2026-07-22T12:00:00Z'),
      openedAt: NOW,
    });
}

/** Stores a payer whom the paid issue reaches. */
async function storePayer(db: Database, name: string, given: object = {}): Promise<void> {
  const email = `${name.toLowerCase()}@reader.example`;
  const sent = { beehiivStatus: 'sent', beehiivSentAt: NOW, nextAttemptAt: null } as const;
  const { id: leadId } = await storeLead(db, { email, ...sent });
  await storePerson(db, {
    emailNormalised: email,
    status: 'active',
    statusSince: NOW,
    learnedAt: NOW,
    tier: 'premium',
    tierConfirmedVersion: 1,
  });
  await storeSubscription(db, { email, name, leadId, ...given });
}

const PAUSE = {
  pausedSince: NOW,
  pauseReason: 'Beehiiv answered 401',
  pauseSetting: 'BEEHIIV_API_KEY',
  nextProbeAt: NOW,
};
const NO_PAUSE = { pausedSince: null, pauseReason: null, pauseSetting: null, nextProbeAt: null };

describe('a mail about what needs attention', () => {
  test('the attention mail has names and amounts alone, and reaches every receiver', async ({
    db,
    mail,
    server,
  }) => {
    await dispute(db, { name: 'Ewan Kerr', company: 'Northgate', phone: '+44 20 7946 0000' });
    await db('sync_health').update(PAUSE);

    await mail.turn();

    expect(server.mails).toHaveLength(1);
    const [sent] = server.mails;
    expect(sent).toMatchObject({
      from: 'console@ledger.example',
      to: ['owner@ledger.example', 'second@ledger.example'],
      subject: 'Needs attention: Sending is paused, and 1 more',
    });
    for (const words of [
      'Ewan Kerr, £239.00. Answer by Wednesday 22 July.',
      'BEEHIIV_API_KEY',
      '/test/disputes/dp_',
    ]) {
      expect(sent!.plain).toContain(words);
    }
    expect(sent!.html).toContain('Ewan Kerr');
    expect(`${sent!.html}${sent!.plain}`).not.toMatch(/Northgate|7946|payer\d+@/);
    expect(mail.logged()).not.toMatch(/Kerr|@/);
  });

  test('an item is mailed once, and new ones within an hour wait for the next mail', async ({
    db,
    mail,
    server,
  }) => {
    const failRefund = async (name: string) => {
      const stripeSubscriptionId = await storeSubscription(db, { name, status: 'canceled' });
      const paid = await storeInvoice(db, { stripeSubscriptionId });
      await storeRefund(db, paid, { status: 'failed', amountPence: 100, refundedAt: NOW });
    };
    await failRefund('First Payer');
    await mail.turn();
    await mail.turn();
    await failRefund('Second Payer');
    await failRefund('Third Payer');
    await advanceSyncClock(db, 59 * 60);
    await mail.turn();
    expect(server.mails).toHaveLength(1);

    await advanceSyncClock(db, 60 * 60 + 1);
    await mail.turn();
    await advanceSyncClock(db, 3 * 3_600);
    await mail.turn();

    expect(server.mails).toHaveLength(2);
    const [, second] = server.mails;
    expect(second!.plain).toContain('Second Payer');
    expect(second!.plain).toContain('Third Payer');
    expect(second!.plain).not.toContain('First Payer');
  });

  test('grave news is mailed at once, each once, however recent the last mail is', async ({
    db,
    mail,
    server,
  }) => {
    await task(db, 'stripe-terms').update({ since: NOW, failure: 'refused' });
    await mail.turn();
    const long = new Date(Date.now() - 3_600_000);
    const unread = { email: 'unread@reader.example', startedAt: long, createdAt: long };
    await storeSubscription(db, unread);
    await giveTiers(db);
    await task(db, 'stripe-events').update({ since: NOW, failure: 'event_read' });
    await mail.turn();
    await db('sync_health').update(PAUSE);
    await mail.turn();
    await dispute(db, { name: 'Ewan Kerr' });
    await mail.turn();
    await task(db, 'backup').update({ seenAt: NOW, coversUntil: new Date('2026-01-01') });
    await mail.turn();
    await mail.turn();

    expect(server.mails.map(({ subject }) => subject)).toEqual([
      'Needs attention: A setting at Stripe is wrong',
      'Needs attention: Pays, but does not receive',
      'Needs attention: Sending is paused',
      'Needs attention: Dispute',
      'Needs attention: No good backup for 26 hours',
    ]);
    await task(db, 'backup').update({ seenAt: null });
    await advanceSyncClock(db, 3_700);
    await mail.turn();
    expect(server.mails.slice(5).map(({ subject }) => subject)).toEqual([
      'Needs attention: A setting at Stripe is wrong',
    ]);
  });

  test('a grave item that comes and goes is mailed at most every ten minutes', async ({
    db,
    mail,
    server,
  }) => {
    for (let times = 0; times < 3; times += 1) {
      await db('sync_health').update(PAUSE);
      await mail.turn();
      await db('sync_health').update(NO_PAUSE);
      await mail.turn();
    }
    expect(server.mails).toHaveLength(1);

    await db('sync_health').update(PAUSE);
    await advanceSyncClock(db, 601);
    await mail.turn();

    expect(server.mails).toHaveLength(2);
  });

  test('a settled item that comes back is mailed again', async ({ db, mail, server }) => {
    await dispute(db, { name: 'First Payer' });
    await mail.turn();
    await db('stripe_disputes').update({ status: 'won' });
    await mail.turn();
    await advanceSyncClock(db, 3_700);
    await db('stripe_disputes').update({ status: 'needs_response' });
    await mail.turn();

    expect(server.mails).toHaveLength(2);
  });
});

test('the mail has everything that the badge counts, and its subject the count', async ({
  newApi,
  db,
  mail,
  server,
}) => {
  const api = await newApi({ OFFER_PHASE: 'standard' });
  const headers = await api.logIn();
  await mail.turn();
  server.mails.length = 0;
  await storePayer(db, 'Unpaid', { status: 'past_due' });
  await storePayer(db, 'Moved', { customerEmail: 'elsewhere@reader.example' });
  await storePayer(db, 'Twice', { startedAt: new Date(0) });
  await storeSubscription(db, { email: 'twice@reader.example', name: 'Twice' });
  const long = new Date(Date.now() - 7_200_000);
  await storeSubscription(db, {
    email: null,
    stripeCustomerId: 'cus_none',
    startedAt: long,
    createdAt: long,
  });
  const parked = { type: 'invoice.paid', outcome: 'parked', failure: 'no' };
  await db('stripe_events').insert([1, 2].map((n) => ({ id: `evt_${n}`, ...parked })));
  for (let n = 0; n < 60; n += 1) {
    await storeSubscription(db, {
      email: `late${n}@reader.example`,
      startedAt: new Date(Date.now() - 3_600_000),
      createdAt: new Date(Date.now() - 3_600_000),
    });
  }
  await giveTiers(db);
  await dispute(db, { name: 'Ewan Kerr' }, 2);
  const { id: failedId } = await storeLead(db, {
    beehiivStatus: 'failed',
    beehiivReason: 'email-invalid',
    nextAttemptAt: null,
  });
  await storeAttempt(db, { leadId: failedId, class: 'permanent' });
  await task(db, 'stripe-terms').update({ since: NOW, failure: 'refused' });
  await task(db, 'stripe-events').update({ since: NOW, failure: 'event_read' });
  const badge = async () => (await api.call('GET', '/api/admin/attention', { headers })).json.count;

  await mail.turn();

  expect(await badge()).toBe(71);
  const [sent] = server.mails;
  expect(sent!.subject).toBe('Needs attention: Pays, but does not receive, and 70 more');
  expect(sent!.plain).toContain('1 could not be sent, and none of them pays.');
  expect(sent!.plain).toContain('permissions that the key lacks: event_read');
  expect(sent!.plain).toContain("the terms' URL is missing in the dashboard");
  const { items } = (await api.call('GET', '/api/admin/attention', { headers })).json;
  expect(items).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'stripe-settings', since: NOW.toISOString() }),
    ]),
  );
  expect(sent!.plain).toContain('£239.00. Their customer at Stripe has no email');
  expect(sent!.plain).toContain('And 11 more.');
  // Items left out are no news the next time, but new items are.
  await advanceSyncClock(db, 3_700);
  await mail.turn();
  expect(server.mails).toHaveLength(1);
});

test.for([
  ['arrives', (db: Database) => dispute(db, { name: 'Late' })],
  [
    'is due',
    async (db: Database) => {
      await advanceSyncClock(db, 16 * 60);
      await judgeDue(db);
    },
  ],
] as const)(
  'what %s while a mail is being stored is in the next mail',
  async ([, happen], { db, mail, server }) => {
    // A new payer may take 15 minutes to reach Beehiiv.
    const now = { startedAt: new Date(), createdAt: new Date() };
    await storeSubscription(db, { name: 'Late', email: 'late@reader.example', ...now });
    await dispute(db, { name: 'Early' });
    const blocked = await db.transaction();
    await blocked.raw('lock table notices in share mode');

    const turn = mail.turn();
    await vi.waitFor(async () => expect(await countLockWaits(db)).toBe(1), 10_000);
    await happen(db);
    await blocked.commit();
    await turn;
    await mail.turn();

    expect(server.mails.map(({ plain }) => /Early|Late/.exec(plain)?.[0])).toEqual([
      'Early',
      'Late',
    ]);
  },
);

describe('sending', () => {
  test('a mail is sent once, under one id, although several processes try at a time', async ({
    mail,
    server,
  }) => {
    await mail.store();
    await mail.store();

    await Promise.all([mail.turn(), mail.turn(), mail.turn()]);

    expect(server.mails).toHaveLength(2);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(2);
  });

  test.for(['down', 'refusing', 'slow'] as const)(
    'a mail waits longer and longer while the server is %s, and is then delivered',
    async (failure, { db, mail, server }) => {
      await mail.store();
      if (failure === 'down') await server.stop();
      server.behaviour.refuses = failure === 'refusing';
      server.behaviour.hangs = failure === 'slow';
      const waits = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await mail.turn();
        const { rows } = await db.raw(
          'select extract(epoch from due_at - sync_now())::int / 60 as minutes, attempts from notices',
        );
        waits.push(rows[0]);
        await advanceSyncClock(db, (attempt + 1) * 3_600);
      }
      await db('notices').update({ attempts: 20 });
      await mail.turn();
      const { rows: bounded } = await db.raw(
        'select extract(epoch from due_at - sync_now())::int / 60 as minutes from notices',
      );
      Object.assign(server.behaviour, { refuses: false, hangs: false });
      if (failure === 'down') await server.start();
      await advanceSyncClock(db, 5 * 3_600);
      await mail.turn();

      expect(waits).toEqual([
        { minutes: expect.toBeOneOf([0, 1]), attempts: 1 },
        { minutes: expect.toBeOneOf([1, 2]), attempts: 2 },
        { minutes: expect.toBeOneOf([3, 4]), attempts: 3 },
      ]);
      expect(bounded[0].minutes).toBeOneOf([59, 60]);
      expect(server.mails).toHaveLength(1);
      expect(mail.logged()).not.toMatch(/@|Somebody/);
    },
  );

  test('a mail is dropped after three days, a condition until another one is sent', async ({
    db,
    mail,
    server,
  }) => {
    const conditions = async () =>
      findConditions(await readSyncFacts(db), 3_600_000).map(({ kind }) => kind);
    await server.stop();
    await mail.store();
    await mail.turn();
    const atFirst = await conditions();
    await advanceSyncClock(db, 3_700);
    const later = await conditions();
    await advanceSyncClock(db, 3 * 86_400);
    await mail.turn();
    const old = await db('notices').where({ text: 'Somebody logged in' }).first();
    const whileGivenUp = await conditions();
    await server.start();
    await advanceSyncClock(db, 3 * 86_400 + 3_700);
    await mail.store();
    await mail.turn();
    const sent = server.mails.filter(({ subject }) => subject === 'Somebody logged in');

    expect(atFirst).not.toContain('mail-failing');
    expect(later).toContain('mail-failing');
    expect(old).toMatchObject({ resolvedAt: expect.any(Date), sentAt: null, body: null });
    expect(whileGivenUp).toContain('mail-failing');
    expect(sent).toHaveLength(1);
    expect(await conditions()).not.toContain('mail-failing');
  });

  test('a mail that failed leaves out who was erased meanwhile', async ({
    api,
    db,
    mail,
    server,
  }) => {
    const headers = await api.logIn();
    await mail.turn();
    server.mails.length = 0;
    await dispute(db, { name: 'Ewan Kerr' });
    await dispute(db, { name: 'Ada Byron' });
    server.behaviour.refuses = true;
    await mail.turn();
    const email = `payer${disputes}@reader.example`;
    await api.call('POST', '/api/admin/people/erase', { headers, body: { email } });
    server.behaviour.refuses = false;
    await advanceSyncClock(db, 61);
    await mail.turn();

    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]!.plain).toContain('Ewan Kerr');
    expect(server.mails[0]!.plain).not.toContain('Ada');
  });
});

test('notices are deleted after 90 days', async ({ db, mail }) => {
  await mail.store();
  await mail.turn();
  await mail.turn();
  await advanceSyncClock(db, 91 * 86_400);

  await mail.turn();

  expect(await db('notices').where({ text: 'Somebody logged in' })).toEqual([]);
});
