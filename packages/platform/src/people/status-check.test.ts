import {
  advanceSyncClock,
  countLockWaits,
  openTransaction,
  storeLead,
  storePerson,
  storeSubscriber,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { expect } from 'vitest';
import { claimDueCheck, isCheckDue, recordCheck, recordEvent } from './status-check.ts';
import { ABSENT, recordSubscribers } from './subscribers.ts';

const email = 'ada@reader.example';
const sent = { email, beehiivStatus: 'sent', nextAttemptAt: null } as const;
const GONE = { id: null, status: ABSENT };
const HOUR_AGO = new Date(Date.now() - 3_600_000);

/** Stores a payer or a reader whose tier was confirmed an hour ago. */
const storePremium = (db: Database, emailNormalised: string, given: object = {}) =>
  storePerson(db, {
    emailNormalised,
    tier: 'premium',
    tierConfirmedVersion: 1,
    tierConfirmedAt: HOUR_AGO,
    tierSince: HOUR_AGO,
    status: 'active',
    statusSince: HOUR_AGO,
    learnedAt: HOUR_AGO,
    ...given,
  });

async function check(db: Database, subscriber: Parameters<typeof recordCheck>[2]): Promise<void> {
  await recordEvent(db, email);
  await recordCheck(db, (await claimDueCheck(db))!, subscriber);
}

test('a status that may change is checked after five minutes, by one caller', async ({ db }) => {
  await storeLead(db, sent);
  await recordSubscribers(db, [{ email, id: 'sub_1', status: 'validating' }]);

  const early = await claimDueCheck(db);
  await advanceSyncClock(db, 301);
  const due = await Promise.all([claimDueCheck(db), claimDueCheck(db)]);

  expect(early).toBeNull();
  expect(due.filter(Boolean)).toMatchObject([{ emailNormalised: email }]);
});

test('another worker takes over the check of a killed one', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent));
  await recordEvent(db, email);
  await claimDueCheck(db);

  expect([await isCheckDue(db), await claimDueCheck(db)]).toEqual([false, null]);
  await advanceSyncClock(db, 46);

  expect(await isCheckDue(db)).toBe(true);
  expect(await claimDueCheck(db)).toMatchObject({ emailNormalised: email });
});

test('a late answer ends no other worker’s check', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent));
  await recordEvent(db, email);
  const first = await claimDueCheck(db);
  await advanceSyncClock(db, 46);
  await claimDueCheck(db);

  await recordCheck(db, first!, { id: 'sub_1', status: 'inactive' });

  expect(await db('people')).toMatchObject([
    { status: 'inactive', checkDueAt: expect.any(Date), checkAskedAt: expect.any(Date) },
  ]);
});

test('a due check survives another run’s answer', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent));
  await recordEvent(db, email);

  await recordSubscribers(db, [{ email, id: 'sub_1', status: 'inactive' }]);

  expect(await claimDueCheck(db)).toMatchObject({ emailNormalised: email });
});

test('an event while an answer waits for its row survives the answer', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent));
  await recordEvent(db, email);
  const due = await claimDueCheck(db);
  const event = await openTransaction(db);
  await event('people').forNoKeyUpdate();

  const answer = recordCheck(db, due!, { id: 'sub_1', status: 'inactive' });
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await recordEvent(event, email);
  await event.commit();
  await answer;

  expect(await claimDueCheck(db)).toMatchObject({ emailNormalised: email });
});

test('payers and their readers are checked first', async ({ db }) => {
  const people = { free: null, payer: 'sub_1', reader: 'sub_1' };
  for (const [name, entitledBy] of Object.entries(people))
    await storePerson(db, { emailNormalised: `${name}@a.example`, entitledBy });
  for (const name of ['free', 'reader', 'payer']) await recordEvent(db, `${name}@a.example`);

  const order = [];
  for (let due = await claimDueCheck(db); due; due = await claimDueCheck(db))
    order.push(due.emailNormalised);

  expect(order).toEqual(['reader@a.example', 'payer@a.example', 'free@a.example']);
});

test('nobody is checked for an email that we do not have', async ({ db }) => {
  expect(await recordEvent(db, 'nobody@reader.example')).toBe(false);
  expect(await db('people')).toEqual([]);
});

test('a person is found by any case of their email', async ({ db }) => {
  await storePerson(db, { emailNormalised: email, seenAt: new Date() });

  expect(await recordEvent(db, 'Ada@Reader.example')).toBe(true);
});

test('an erasure during a check restores nothing', async ({ db }) => {
  await storePerson(db, { emailNormalised: email, seenAt: new Date() });
  await recordEvent(db, email);
  const due = await claimDueCheck(db);
  await db('people').delete();

  await recordCheck(db, due!, { id: 'sub_1', status: 'active' });
  await recordCheck(db, due!, GONE);

  expect(await db('people')).toEqual([]);
});

test('an absent payer does not receive from then on', async ({ db }) => {
  await storePremium(db, email);

  await check(db, GONE);

  expect(await db('people')).toMatchObject([{ status: null, notReceivingSince: expect.any(Date) }]);
});

test('a payer whose tier is being set is not yet absent', async ({ db }) => {
  await storePremium(db, email, { tierVersion: 2 });

  await check(db, GONE);

  expect(await db('people')).toMatchObject([{ status: null, notReceivingSince: null }]);
});

test('a refused look-up ends the check without news', async ({ db }) => {
  await storePremium(db, email);

  await check(db, { id: null, status: null });

  expect(await db('people')).toMatchObject([{ status: 'active', notReceivingSince: null }]);
  expect(await isCheckDue(db)).toBe(false);
});

test('an absent answer that is older than another changes nothing', async ({ db }) => {
  await storePremium(db, email);
  await recordEvent(db, email);
  const due = await claimDueCheck(db);
  await recordSubscribers(db, [{ email, id: 'sub_1', status: 'active' }]);

  await recordCheck(db, due!, GONE);

  expect(await db('people')).toMatchObject([{ status: 'active', notReceivingSince: null }]);
});

test.for([
  ['free here and there', { tier: 'free' as const }, 'free', 1],
  ['premium here and there', {}, 'premium', 1],
  ['premium here and free there', {}, 'free', 2],
  ['at Beehiiv again', { notReceivingSince: HOUR_AGO }, 'premium', 2],
  ['there for the first time', { notReceivingSince: HOUR_AGO, tierConfirmedAt: null }, 'free', 2],
  ['premium since the request', { tierConfirmedAt: new Date(Date.now() + 60_000) }, 'free', 1],
] as const)('the tier of a person who is %s', async ([, given, tier, tierVersion], { db }) => {
  await storePremium(db, email, given);

  await check(db, { id: 'sub_1', status: 'active', tier });

  expect(await db('people')).toMatchObject([{ tierVersion }]);
});
