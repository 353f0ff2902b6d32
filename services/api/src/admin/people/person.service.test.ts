import { storeSubscription } from '@site/testing/money-builders';
import { task } from '@site/platform/database/task';
import { test } from '@site/testing/fixtures';
import {
  advanceSyncClock,
  correctLead,
  judgeDue,
  storeLead,
  storePerson,
  storeSubscriber,
} from '@site/testing/builders';
import { EMAIL_REASONS } from '@site/schema/beehiiv-answers';
import { expect } from 'vitest';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { countAttention } from '@site/platform/health/money-health';
import { readPersonRow } from '../leads/lead-detail.repository.ts';

const EMAIL = 'priya@reader.example';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

async function storePayer(
  db: Database,
  given: { startedAt?: Date } & Record<string, unknown> = {},
): Promise<string> {
  const { startedAt = ago(60) } = given;
  return storeSubscription(db, { email: EMAIL, createdAt: startedAt, startedAt, ...given });
}

const storeTier = (db: Database, given: Record<string, unknown> = {}) =>
  storePerson(db, {
    emailNormalised: EMAIL,
    tier: 'premium',
    tierConfirmedVersion: 1,
    tierConfirmedAt: ago(50),
    tierSince: ago(60),
    ...given,
  });

async function listNotReceiving(db: Database) {
  await judgeDue(db);
  const rows = await query<{ emailNormalised: string; stripeSubscriptionId: string }>(
    db,
    `select email_normalised, entitled_by as stripe_subscription_id from people
     where state = 'not-receiving' order by state_since`,
  );
  return Promise.all(
    rows.map(async ({ emailNormalised, stripeSubscriptionId }) => {
      const { notReceiving } = await readPersonRow(db, emailNormalised);
      return { stripeSubscriptionId, ...notReceiving! };
    }),
  );
}

const reasonsOf = async (db: Database) =>
  (await listNotReceiving(db)).map(({ reason, remedy }) => [reason, remedy]);

const SENT = {
  email: EMAIL,
  beehiivStatus: 'sent',
  nextAttemptAt: null,
  beehiivSentAt: ago(59),
} as const;
const FAILED = { email: EMAIL, beehiivStatus: 'failed', nextAttemptAt: null } as const;
const OLD = { roundStartedAt: ago(60), submittedAt: ago(60) };

test('an active payer with a confirmed tier receives', async ({ db }) => {
  await storePayer(db);
  await storeTier(db);
  await storeSubscriber(db, await storeLead(db, { ...SENT, ...OLD }));
  await storeLead(db, { ...FAILED, ...OLD });

  expect(await reasonsOf(db)).toEqual([]);
});

test.for<[string, Partial<LeadRow>, [string, string]]>([
  ...EMAIL_REASONS.map((beehiivReason): [string, Partial<LeadRow>, [string, string]] => [
    `was refused as ${beehiivReason}`,
    { ...FAILED, beehiivReason },
    ['refused', 'correct-email'],
  ]),
  ['failed otherwise', { ...FAILED, beehiivReason: 'request-refused' }, ['failed', 'send-lead']],
  ['looks automated', { ...FAILED, quarantineReason: 'too fast' }, ['quarantined', 'send-lead']],
  ['still waits', { email: EMAIL }, ['waiting', 'wait']],
])('a payer does not receive if their best lead %s', async ([, lead, expected], { db }) => {
  await storePayer(db);
  await storeTier(db, { tierConfirmedVersion: 0 });
  const { id } = await storeLead(db, { ...lead, ...OLD });

  expect(await reasonsOf(db)).toEqual([expected]);
  const found = { email: EMAIL, leadId: id, differenceId: null };
  expect((await readPersonRow(db, EMAIL)).notReceiving).toMatchObject(found);
  expect((await readPersonRow(db, 'else@reader.example')).notReceiving).toBeNull();
});

test.for<[string, [string, string]]>([
  ['inactive', ['unsubscribed', 'ask-them']],
  ['invalid', ['rejected', 'correct-email']],
  ['pending', ['not-confirmed', 'ask-them']],
])('a payer does not receive if Beehiiv says %s', async ([status, expected], { db }) => {
  await storePayer(db);
  await storeTier(db);
  await storeSubscriber(db, await storeLead(db, { ...SENT, ...OLD }), { status });

  expect(await reasonsOf(db)).toEqual([expected]);
});

test('a payer without a lead does not receive', async ({ db }) => {
  await storePayer(db);
  await storeTier(db);
  await correctLead(db, await storeLead(db, { ...FAILED, ...OLD }), 'else@reader.example');

  expect(await reasonsOf(db)).toEqual([['no-lead', 'correct-email']]);
});

test('a payer with an unconfirmed tier or unknown to Beehiiv does not receive', async ({ db }) => {
  await storePayer(db);
  await storeSubscriber(db, await storeLead(db, { ...SENT, ...OLD }));
  await storeTier(db, { tierConfirmedVersion: 0, tierAttempts: 3 });
  const before = await reasonsOf(db);
  await db('people')
    .whereNotNull('tier')
    .update({ tierConfirmedVersion: 1, notReceivingSince: ago(30) });

  expect(before).toEqual([['not-premium', 'wait']]);
  expect(await reasonsOf(db)).toEqual([['not-at-beehiiv', 'compare']]);
});

test('a payer whom the comparison missed does not receive until confirmed since', async ({
  db,
}) => {
  await storePayer(db);
  await storeSubscriber(db, await storeLead(db, { ...SENT, ...OLD }));
  await storeTier(db);
  await task(db, 'comparison').update({ coversUntil: ago(20) });
  const found = { kind: 'pays-not-active', emailNormalised: EMAIL } as const;
  await db('differences').insert({ ...found, subscriberStatus: 'active', remedy: 'set-premium' });
  const listed = await listNotReceiving(db);
  await db('differences').update({
    subscriberStatus: null,
    remedy: 'add-again',
    isJudged: false,
  });
  const missing = await reasonsOf(db);
  await db('people')
    .whereNotNull('tier')
    .update({ tierConfirmedAt: ago(10) });

  expect(listed).toMatchObject([
    { reason: 'not-premium', remedy: 'set-premium', differenceId: expect.any(Number) },
  ]);
  expect(missing).toEqual([['not-at-beehiiv', 'add-again']]);
  expect(await reasonsOf(db)).toEqual([]);
});

test('an unconfirmed payer of a comparison receives once active', async ({ db }) => {
  await storePayer(db);
  await storeTier(db);
  await task(db, 'comparison').update({ coversUntil: ago(20) });
  await db('differences').insert({
    kind: 'pays-not-active',
    emailNormalised: EMAIL,
    subscriberStatus: 'pending',
  });
  await storeSubscriber(db, await storeLead(db, { ...SENT, ...OLD }), { learnedAt: ago(30) });
  const before = await reasonsOf(db);

  await db('people')
    .whereNotNull('status')
    .update({ learnedAt: ago(10) });

  expect(before).toEqual([['not-premium', 'wait']]);
  expect(await reasonsOf(db)).toEqual([]);
});

test('changes under way have 15 minutes, refusals by Beehiiv none', async ({ db }) => {
  const payer = async (name: string, lead: Partial<LeadRow> | null, status?: string) => {
    const email = `${name}@reader.example`;
    await storePayer(db, { email, startedAt: ago(5) });
    await storeTier(db, {
      emailNormalised: email,
      tierConfirmedVersion: 0,
      tierSince: ago(5),
    });
    const stored = lead && (await storeLead(db, { ...lead, email }));
    if (stored && status) await storeSubscriber(db, stored, { status });
  };
  await payer('no-lead', null);
  await payer('waiting', OLD);
  await payer('tier-open', { ...SENT, ...OLD }, 'active');
  await payer('to-activate', { ...SENT, ...OLD }, 'inactive');
  await db('people').where({ status: 'inactive' }).update({ mustActivate: true });
  await payer('refused', { ...FAILED, beehiivReason: 'email-invalid' });
  await payer('rejected', { ...SENT, ...OLD }, 'invalid');
  const now = await listNotReceiving(db);
  await db('subscriptions').update({ startedAt: ago(16), createdAt: ago(16) });
  await advanceSyncClock(db, 11 * 60);

  expect(now.map(({ reason }) => reason).toSorted()).toEqual(['refused', 'rejected']);
  expect((await listNotReceiving(db)).map(({ reason }) => reason).toSorted()).toEqual([
    'no-lead',
    'not-premium',
    'refused',
    'rejected',
    'unsubscribed',
    'waiting',
  ]);
});

test('an unsubscribed payer is named at once, unless an activation is open', async ({ db }) => {
  await storePayer(db);
  await storeLead(db, { ...SENT, ...OLD });
  await storeTier(db, { status: 'inactive', statusSince: ago(90), tierSince: ago(1) });
  await db('people').update({ tierVersion: 2 });
  expect(await reasonsOf(db)).toEqual([['unsubscribed', 'ask-them']]);

  await db('people').update({ mustActivate: true });
  expect(await reasonsOf(db)).toEqual([]);
});

test('a payer with two subscriptions counts once, while one of them is live', async ({ db }) => {
  await storePayer(db);
  const first = await storePayer(db, { startedAt: ago(90) });
  await storePayer(db, { email: 'gone@reader.example', status: 'canceled' });
  for (const emailNormalised of [EMAIL, 'gone@reader.example'])
    await storeTier(db, { emailNormalised });

  expect(await listNotReceiving(db)).toMatchObject([
    { stripeSubscriptionId: first, reason: 'no-lead' },
  ]);
  expect((await countAttention(db))[0]).toMatchObject({ kind: 'not-receiving', count: 1 });
});
