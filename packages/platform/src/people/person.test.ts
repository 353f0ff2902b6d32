import { storeSubscription } from '@site/testing/money-builders';
import {
  advanceSyncClock,
  judgeDue,
  openTransaction,
  storeLead,
  wantTier,
} from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { normaliseEmail } from '@site/schema/email';
import { describe, expect, vi } from 'vitest';
import { judgePeople } from './person.ts';
import type { Database } from '../database/connect.ts';
import { queryOne } from '../database/query.ts';

const emailNormalised = 'ada@reader.example';

const storeTrial = (db: Database, email: string, given: object = {}) =>
  storeSubscription(db, {
    stripeSubscriptionId: 'sub_1',
    email,
    startedAt: new Date(),
    firstPaidAt: null,
    ...given,
  });

test('a payer’s own lead says more about them than a stranger’s', async ({ db }) => {
  const email = emailNormalised;
  const own = await storeLead(db, { email, fullName: 'Ada Own', company: 'Own Ltd', phone: null });
  await storeLead(db, { email, fullName: 'A Stranger', company: 'Other Ltd', phone: '0123456789' });
  const before = await db('people').first('name', 'company', 'phoneDigits');
  await storeTrial(db, email, { leadId: own.id });

  expect(before).toMatchObject({ name: 'A Stranger', company: 'Other Ltd' });
  expect(await db('people').first('name', 'company', 'phoneDigits')).toEqual({
    name: 'Ada Own',
    company: 'Own Ltd',
    phoneDigits: '123456789',
  });
});

describe('judge_person', () => {
  const isWaiting = (db: Database) =>
    vi.waitFor(async () => {
      const { waiting } = await queryOne<{ waiting: boolean }>(
        db,
        `select exists (
           select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'
         ) as waiting`,
      );
      expect(waiting).toBe(true);
    }, 15_000);

  test('creates no row for a person whose last lead is being deleted', async ({ db }) => {
    const { email } = await storeLead(db);
    const deletion = await openTransaction(db);
    await deletion('leads').delete();
    await deletion('people').delete();

    const judging = judgePeople(db, [email]);
    await isWaiting(db);
    await deletion.commit();
    await judging;

    expect(await db('people')).toEqual([]);
  });

  test('writes no older state over a newer one', async ({ db }) => {
    const { email } = await storeLead(db);
    const webhook = await openTransaction(db);
    await storeTrial(webhook, email);
    await judgePeople(webhook, [email]);

    const judging = judgePeople(db, [email]);
    await isWaiting(db);
    await webhook.commit();
    await judging;

    expect(await db('people')).toMatchObject([{ state: 'trial' }]);
  });

  test('is left to the sweep for a new lead', async ({ db }) => {
    const { emailNormalised } = await storeLead(db);
    await db('people').delete();

    expect(await judgeDue(db)).toBe(1);
    expect(await db('people')).toMatchObject([{ emailNormalised, state: 'none' }]);
  });

  test('delays nobody else by a failure', async ({ db }) => {
    const { emailNormalised } = await storeLead(db, { submittedAt: new Date(Date.now() - 1_000) });
    const { email: failing } = await storeLead(db);
    await db('people').delete();
    await db.raw(`alter table people add constraint failing check (email <> '${failing}')`);

    await expect(judgeDue(db)).rejects.toThrow('not everybody was judged');
    expect(await db('people').pluck('email_normalised')).toEqual([emailNormalised]);
  });

  test('is repeated at the end of free access, and of a change under way', async ({ db }) => {
    const soon = new Date(Date.now() + 60_000);
    const { emailNormalised: guest } = await storeLead(db);
    await wantTier(db, guest, 'premium');
    await db('people').update({ freeUntil: soon });
    const { email: payer } = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
    await storeTrial(db, payer);
    const states = async () =>
      Object.fromEntries(
        (await db('people')).map((each) => [each.emailNormalised, [each.state, each.tier]]),
      );
    const before = await states();
    await judgeDue(db);
    expect(await states()).toEqual(before);

    await advanceSyncClock(db, 16 * 60);
    await judgeDue(db);

    expect(before).toEqual({ [guest]: ['free-access', 'premium'], [payer]: ['trial', 'premium'] });
    expect(await states()).toEqual({
      [guest]: ['none', 'free'],
      [payer]: ['not-receiving', 'premium'],
    });
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
