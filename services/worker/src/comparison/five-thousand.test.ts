// @module-tag long
import { createSandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { reconcileNow } from './comparison.ts';

/** The number of people with each kind of difference. */
const EACH = 6;
const PEOPLE = 5_000;
const PAYERS = 1_000;
const AT_ONCE = 20;
const HOUR_AGO = new Date(Date.now() - 3_600_000);

/** Runs the work for all, a few at a time. */
async function forAll<T>(all: readonly T[], work: (each: T) => Promise<unknown>): Promise<void> {
  for (let n = 0; n < all.length; n += AT_ONCE)
    await Promise.all(all.slice(n, n + AT_ONCE).map(work));
}

test(
  'a comparison of 5,000 people finds exactly the differences that were made',
  { timeout: 600_000 },
  async ({ db, onTestFinished }) => {
    // Otherwise the sandbox's rate limit would make this last half an hour.
    const sandbox = await createSandbox({ requestsPerMinute: 0 });
    onTestFinished(() => sandbox.close());
    const deps = {
      ...connectTestNewsletter({ sandbox, timeoutMs: 30_000 }, db),
      db,
      newId: randomUUID,
      backoffBaseMs: 20,
      random: Math.random,
    };
    const { newsletter } = deps;
    const people = (name: string, count: number) =>
      Array.from({ length: count }, (_, n) => `${name}${n}@reader.example`);
    // Payers' tags. The sandbox reads a tag's words as the status.
    const absent = people('absent', EACH);
    const lowered = people('lowered', EACH);
    const left = people('payer+inactive', EACH).map((email, n) =>
      email.replace(`${n}@`, `@p${n}.`),
    );
    const twice = people('twice', EACH);
    // Readers' tags.
    const gifts = people('gift', EACH);
    const missing = people('missing', EACH);
    const invalid = people('a+invalid', EACH).map((email, n) => email.replace(`${n}@`, `@a${n}.`));
    const gone = people('a+inactive', EACH).map((email, n) => email.replace(`${n}@`, `@a${n}.`));
    const strangers = people('stranger', EACH);
    const oddPayers = [...absent, ...lowered, ...left, ...twice];
    const payers = [...oddPayers, ...people('payer', PAYERS - oddPayers.length)];
    const oddReaders = [...gifts, ...missing, ...invalid, ...gone];
    const readers = [...oddReaders, ...people('reader', PEOPLE - PAYERS - oddReaders.length)];

    const lead = { formType: 'pre_buy', beehiivStatus: 'sent', nextAttemptAt: null };
    const times = { submittedAt: HOUR_AGO, beehiivSentAt: HOUR_AGO };
    const leads = [...payers, ...readers].map((email) => ({
      id: randomUUID(),
      email,
      ...lead,
      ...times,
    }));
    await db.batchInsert('leads', leads, 500);
    const subscription = (email: string) => ({
      id: randomUUID(),
      email,
      stripeSubscriptionId: `sub_${randomUUID()}`,
      stripeCustomerId: 'cus_1',
      status: 'active',
      plan: 'monthly',
      amountPence: 23_900,
      snapshotAt: HOUR_AGO,
    });
    await db.batchInsert('subscriptions', [...payers, ...twice].map(subscription), 500);
    await db.raw(
      'select judge_person(email_normalised) from (select distinct email_normalised from leads) l',
    );
    await db('people').whereIn('emailNormalised', payers).update({
      tier: 'premium',
      tierVersion: 1,
      tierConfirmedVersion: 1,
      tierConfirmedAt: HOUR_AGO,
      tierSince: HOUR_AGO,
      tierNextAttemptAt: HOUR_AGO,
    });
    const listed = [...payers, ...readers, ...strangers].filter(
      (email) => !absent.includes(email) && !missing.includes(email),
    );
    await forAll(listed, (email) =>
      newsletter.add({
        email,
        fields: {},
        utm: {},
        sendWelcomeEmail: false,
        doubleOptIn: 'not_set',
        automationIds: [],
        automationSetting: 'BEEHIIV_AUTOMATIONS_PRE_BUY',
      }),
    );
    const raised = [...payers, ...gifts].filter(
      (email) => listed.includes(email) && !lowered.includes(email),
    );
    await forAll(raised, (email) => newsletter.setTier(email, 'premium'));
    // The sandbox checks a new email for some seconds.
    await expect
      .poll(() => sandbox.beehiiv.find(raised.at(-1) ?? '')?.status, { timeout: 60_000 })
      .toBe('active');

    const begun = Date.now();
    const result = await reconcileNow(deps, new AbortController().signal);
    // This took 6 s on a busy machine with two cores.
    expect(Date.now() - begun).toBeLessThan(60_000);

    expect(result).toMatchObject({ failure: null, checked: PEOPLE, unknown: EACH });
    const found = await db('listed_differences')
      .orderByRaw('email_normalised collate "C"')
      .select<{ kind: string; emailNormalised: string }[]>('kind', 'emailNormalised');
    const emailsOf = (kind: string) =>
      found.filter((row) => row.kind === kind).map((row) => row.emailNormalised);
    expect(emailsOf('pays-not-active')).toEqual([...absent, ...lowered, ...left].toSorted());
    expect(emailsOf('pays-twice')).toEqual(twice.toSorted());
    expect(emailsOf('premium-not-paying')).toEqual(gifts.toSorted());
    expect(emailsOf('missing-there')).toEqual(missing.toSorted());
    expect(emailsOf('invalid')).toEqual(invalid.toSorted());
    expect(emailsOf('unsubscribed')).toEqual(gone.toSorted());
    expect(emailsOf('unknown-here')).toEqual(strangers.toSorted());
    expect(found).toHaveLength(9 * EACH);
  },
);
