import {
  countLockWaits,
  openTransaction,
  storeLead,
  storePerson,
  storeSubscriber,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { lockPeople } from './person.ts';
import { recordSubscribers } from './subscribers.ts';

const email = 'ada@reader.example';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const sent = { email, beehiivStatus: 'sent', nextAttemptAt: null } as const;

test('a subscriber’s status is stored once, and copied to their sent leads', async ({ db }) => {
  await storeLead(db, sent);
  await storeLead(db, { ...sent, email: 'Ada@reader.example', subscriberStatus: 'active' });
  await storeLead(db, { email });

  await recordSubscribers(db, [
    { email: 'ADA@reader.example', id: 'sub_1', status: 'inactive', at: minutesAgo(1) },
  ]);

  expect(await db('people')).toMatchObject([
    {
      emailNormalised: email,
      subscriberId: 'sub_1',
      status: 'inactive',
      statusSince: expect.any(Date),
      learnedAt: expect.any(Date),
      checkDueAt: null,
    },
  ]);
  expect(
    await db('leads').orderBy('beehiivStatus').select('beehiivStatus', 'subscriberStatus'),
  ).toEqual([
    { beehiivStatus: 'pending', subscriberStatus: null },
    { beehiivStatus: 'sent', subscriberStatus: 'inactive' },
    { beehiivStatus: 'sent', subscriberStatus: 'inactive' },
  ]);
});

test('newer knowledge of a subscriber is kept', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent), {
    status: 'inactive',
    learnedAt: minutesAgo(1),
  });

  await recordSubscribers(db, [{ email, id: 'sub_1', status: 'active', at: minutesAgo(2) }]);

  expect(await db('people').whereNotNull('status')).toMatchObject([{ status: 'inactive' }]);
  expect(await db('leads')).toMatchObject([{ subscriberStatus: 'inactive' }]);
});

test('an answer waits for a newer one that is being stored', async ({ db }) => {
  await storePerson(db, { emailNormalised: email, seenAt: new Date() });
  const newer = await openTransaction(db);
  await recordSubscribers(newer, [{ email, id: 'sub_1', status: 'inactive', at: minutesAgo(1) }]);

  const older = recordSubscribers(db, [
    { email, id: 'sub_1', status: 'active', at: minutesAgo(2) },
  ]);
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await newer.commit();
  await older;

  expect(await db('people')).toMatchObject([{ status: 'inactive' }]);
});

test('an answer locks people before leads, like every change of a person', async ({ db }) => {
  const { id } = await storeLead(db, sent);
  const change = await openTransaction(db);
  await lockPeople(change, [email]);

  const answer = recordSubscribers(db, [{ email, id: 'sub_1', status: 'active' }]);
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await change('leads').where({ id }).forNoKeyUpdate();
  await change.commit();

  expect(await answer).toBe(1);
});

test('a departure keeps the time at which it was first known', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent));
  const [first, second] = [minutesAgo(2), minutesAgo(1)];

  for (const at of [first, second])
    await recordSubscribers(db, [{ email, id: 'sub_1', status: 'inactive', at }]);

  expect(await db('people').whereNotNull('status')).toMatchObject([
    { statusSince: first, learnedAt: second },
  ]);
});

test('nothing is stored for an email that nobody has, from an answer or from the list', async ({
  db,
}) => {
  const told = { email, id: 'sub_1', status: 'active' };
  await recordSubscribers(db, [told]);
  await recordSubscribers(db, [{ ...told, tier: 'premium' }], { isPage: true });

  expect(await db('people')).toEqual([]);
});

test('an older page of the list still notes that they are on it', async ({ db }) => {
  await storeSubscriber(db, await storeLead(db, sent), { status: 'inactive' });

  const told = { email, id: 'sub_2', status: 'active', at: minutesAgo(90) };
  await recordSubscribers(db, [{ ...told, tier: 'free' }], { isPage: true });

  expect(await db('people')).toMatchObject([
    { status: 'inactive', subscriberId: 'sub_1', listedTier: 'free', listedAt: told.at },
  ]);
});
