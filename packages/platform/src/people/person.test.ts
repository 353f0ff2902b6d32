import { openTransaction, storeLead, storePerson } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { normaliseEmail } from '@site/schema/email';
import { randomUUID } from 'node:crypto';
import { describe, expect, vi } from 'vitest';
import { refreshMissing, refreshPerson } from './person.ts';
import type { Database } from '../database/connect.ts';
import { queryOne } from '../database/query.ts';

const emailNormalised = 'ada@reader.example';

test('a payer is in doubt until premium is confirmed and they are active', async ({ db }) => {
  const person = () => db('people');
  await storePerson(db, { emailNormalised, liveSubscriptions: 1 });
  const found: [string, boolean][] = [];
  const note = async (what: string, change: Promise<unknown>) => {
    await change;
    found.push([what, (await person().first('inDoubt')).inDoubt]);
  };
  await note('without a tier', Promise.resolve());
  const premium = {
    tier: 'premium',
    tierVersion: 1,
    tierSince: new Date(),
    tierNextAttemptAt: new Date(),
  };
  await note('unknown', person().update({ ...premium, tierConfirmedVersion: 1 }));
  await note('active', person().update({ status: 'active' }));
  await note('inactive', person().update({ status: 'inactive' }));
  await note('active again', person().update({ status: 'active' }));
  await note('another version', person().update({ tierVersion: 2 }));
  await note('its confirmation', person().update({ tierConfirmedVersion: 2 }));
  await note('not known there', person().update({ notReceivingSince: new Date() }));
  await note('pays no longer', person().update({ liveSubscriptions: 0 }));
  await note(
    'reads with somebody else',
    person().update({
      freeWithSubscription: 'sub_1',
      freeGrantedBy: 'ana',
      freeGrantedAt: new Date(),
    }),
  );

  expect(found).toEqual([
    ['without a tier', true],
    ['unknown', true],
    ['active', false],
    ['inactive', true],
    ['active again', false],
    ['another version', true],
    ['its confirmation', false],
    ['not known there', true],
    ['pays no longer', false],
    ['reads with somebody else', true],
  ]);
});

test('a payer’s own lead says more about them than a stranger’s', async ({ db }) => {
  const email = emailNormalised;
  const own = await storeLead(db, { email, fullName: 'Ada Own', company: 'Own Ltd', phone: null });
  await storeLead(db, { email, fullName: 'A Stranger', company: 'Other Ltd', phone: '0123456789' });
  await refreshPerson(db, email);
  const before = await db('people').first('name', 'company', 'phoneDigits');
  await db('subscriptions').insert({
    id: own.id,
    email,
    leadId: own.id,
    stripeSubscriptionId: 'sub_1',
    stripeCustomerId: 'cus_1',
    status: 'active',
    plan: 'monthly',
    amountPence: 1,
    snapshotAt: new Date(),
  });
  await refreshPerson(db, email);

  expect(before).toMatchObject({ name: 'A Stranger', company: 'Other Ltd' });
  expect(await db('people').first('name', 'company', 'phoneDigits')).toEqual({
    name: 'Ada Own',
    company: 'Own Ltd',
    phoneDigits: '123456789',
  });
});

describe('refresh_person', () => {
  const isWaiting = (db: Database) =>
    vi.waitFor(async () => {
      const { waiting } = await queryOne<{ waiting: boolean }>(
        db,
        `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`,
      );
      expect(waiting).toBe(true);
    }, 15_000);

  test('creates no row for a person whose last lead is being deleted', async ({ db }) => {
    const { email } = await storeLead(db);
    const deletion = await openTransaction(db);
    await deletion('leads').delete();
    await deletion('people').delete();

    const refreshing = refreshPerson(db, email);
    await isWaiting(db);
    await deletion.commit();
    await refreshing;

    expect(await db('people')).toEqual([]);
  });

  test('writes no older state over a newer one', async ({ db }) => {
    const { email } = await storeLead(db);
    const webhook = await openTransaction(db);
    await webhook('subscriptions').insert({
      id: randomUUID(),
      email,
      stripeSubscriptionId: 'sub_1',
      stripeCustomerId: 'cus_1',
      status: 'active',
      plan: 'monthly',
      amountPence: 23_900,
      snapshotAt: new Date(),
    });
    await refreshPerson(webhook, email);

    const refreshing = refreshPerson(db, email);
    await isWaiting(db);
    await webhook.commit();
    await refreshing;

    expect(await db('people')).toMatchObject([{ liveSubscriptions: 1 }]);
  });

  test('is left to the sweep for a lead that nobody refreshed', async ({ db }) => {
    const { emailNormalised } = await storeLead(db);
    await db('people').delete();

    expect(await refreshMissing(db, new AbortController().signal)).toBe(1);
    expect(await db('people')).toMatchObject([{ emailNormalised, state: 'none' }]);
  });
});

/** Every letter that had a small letter before any Postgres that we support. */
const CAPITALS = Array.from({ length: 0x2000 }, (_, code) => String.fromCodePoint(code))
  .filter((letter) => /\p{Changes_When_Lowercased}/u.test(letter))
  .filter((letter) => letter < '\u0590' || letter >= '\u1E00');

test.for(['default', 'C.utf8', 'und-x-icu', 'tr-x-icu'])(
  'Postgres normalises emails as JavaScript does, with the collation %s',
  async (collation, { db }) => {
    const emails = [
      ...CAPITALS.map((letter) => `a${letter}@b.example`),
      'İNFO@FİRMA.example',
      'ΟΔΥΣΣΕΥΣ@ΟΔΟΣ.example',
    ];

    const { normalised } = await queryOne<{ normalised: string[] }>(
      db,
      `select array_agg(normalised_email(email collate "${collation}") order by place) as normalised
       from unnest(:emails::text[]) with ordinality as given (email, place)`,
      { emails },
    );

    expect(normalised).toEqual(emails.map(normaliseEmail));
  },
);
