import {
  advanceSyncClock,
  correctLead,
  countLockWaits,
  openTransaction,
  requestRemoval,
  storeLead,
  storePerson,
  storeSubscriber,
  wantTier,
} from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { recordBeehiivEvent, recordSubscribers } from '@site/platform/people/subscribers';
import { toJudged } from '@site/schema/beehiiv-answers';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { describe, expect } from 'vitest';
import { EMAIL, leave, SENT, statusOf } from '../testing/person.fixture.ts';
import { serveBackground, serveUrgent, subscribe, test } from '../testing/person.fixture.ts';
import { withNewsletter } from '../testing/person.fixture.ts';

const HOUR_AGO = new Date(Date.now() - 3_600_000);
const readPerson = (db: Database) => db('people').where({ emailNormalised: EMAIL }).first();

/** Stores somebody with a sent lead, whose check is due. */
async function storeDue(db: Database, email = EMAIL) {
  const lead = await storeLead(db, { ...SENT, email });
  await storeSubscriber(db, lead);
  await recordBeehiivEvent(db, email);
}

test('an absent subscriber is recorded, also on their leads', async ({ deps, db }) => {
  await storeDue(db);

  await serveBackground(deps);

  expect(await readPerson(db)).toMatchObject({ status: null, subscriberId: null });
  expect(await db('leads')).toMatchObject([{ subscriberStatus: null, beehiivStatus: 'sent' }]);
});

test('with a wrong publication nobody is absent', async ({ deps, db }) => {
  await storeDue(db);
  const listFields = async () => ({
    ...(await deps.newsletter.listFields(1)),
    ...toJudged('publication-unknown'),
    page: null,
  });

  await serveBackground(withNewsletter(deps, { listFields }));

  expect(await readPerson(db)).toMatchObject({ status: 'active', checkDueAt: expect.any(Date) });
});

test('payers and their readers are checked first', async ({ deps, db }) => {
  const people = { free: null, payer: 'sub_1', reader: 'sub_1' };
  for (const [name, entitledBy] of Object.entries(people))
    await storePerson(db, { emailNormalised: `${name}@a.example`, entitledBy });
  for (const name of ['free', 'reader', 'payer']) await recordBeehiivEvent(db, `${name}@a.example`);
  const asked: string[] = [];
  const find = (email: string) => {
    asked.push(email.replace('@a.example', ''));
    return deps.newsletter.find(email);
  };

  await serveBackground(withNewsletter(deps, { find }));

  expect(asked).toEqual(['reader', 'payer', 'free']);
});

describe('after a failure', () => {
  test.for([
    ['a 500', 500],
    ['a refused key', 401],
  ] as const)('a check stays due after %s', async ([, status], { deps, db, sandbox }) => {
    await storeDue(db);
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status, times: 1 });
    await serveBackground(deps);
    // Another run's answer does not end the check.
    await recordSubscribers(db, [{ email: EMAIL, id: 'sub_1', status: 'inactive' }]);

    expect(await serveBackground(deps)).toBe(0);
    await advanceSyncClock(db, 31);
    expect(await serveBackground(deps)).toBe(1);
  });
});

describe('an event', () => {
  test('an event while an answer waits for its row survives the answer', async ({ deps, db }) => {
    await storeDue(db);
    const event = await openTransaction(db);
    let requests = 0;
    const find = async (email: string) => {
      requests += 1;
      if (requests === 1) await recordBeehiivEvent(event, email);
      return deps.newsletter.find(email);
    };

    const run = serveBackground(withNewsletter(deps, { find }));
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await event.commit();
    await run;

    expect(requests).toBe(2);
  });

  test.for([
    ['unchanged', 'active', [0, 1, 0, 0]],
    ['changed', 'inactive', [0, 0, 0, 0]],
  ] as const)(
    'after an event, the %s status is asked again once, after five minutes',
    async ([, before, runs], { deps, db }) => {
      // Active at the sandbox.
      const email = 'ada+exists@reader.example';
      await storeDue(db, email);
      await recordSubscribers(db, [{ email, id: 'sub_1', status: before }]);
      await serveBackground(deps);
      const later = [];
      for (const seconds of [290, 305, 700, 9_000]) {
        await advanceSyncClock(db, seconds);
        later.push(await serveBackground(deps));
      }

      expect(later).toEqual(runs);
    },
  );

  test('an erasure during a check restores nothing', async ({ deps, db }) => {
    await storePerson(db, { emailNormalised: EMAIL, seenAt: new Date() });
    await recordBeehiivEvent(db, EMAIL);
    const find = async (email: string) => {
      await db('people').delete();
      return deps.newsletter.find(email);
    };

    await serveBackground(withNewsletter(deps, { find }));

    expect(await db('people')).toEqual([]);
  });
});

test('a status is looked up ever less often, and not after two days', async ({
  deps,
  db,
  sandbox,
}) => {
  await subscribe(sandbox, EMAIL, { double_opt_override: 'on' });
  await storeSubscriber(db, await storeLead(db, { ...SENT, email: EMAIL }), {
    status: 'pending',
    statusSince: new Date(Date.now() - 600_000),
    checkDueAt: new Date(0),
  });
  const lookUpAt = async (minutes: number) => {
    await advanceSyncClock(db, minutes * 60);
    return serveBackground(deps);
  };

  expect(await lookUpAt(0)).toBe(1);
  expect([await lookUpAt(9), await lookUpAt(11)]).toEqual([0, 1]);
  expect([await lookUpAt(30), await lookUpAt(40)]).toEqual([0, 1]);
  expect([await lookUpAt(49 * 60), await lookUpAt(500 * 60)]).toEqual([1, 0]);
});

describe('the tier that a check finds', () => {
  /** Checks a payer or a reader whose tier was confirmed an hour ago. */
  const check = async (
    deps: Parameters<typeof withNewsletter>[0],
    given: object,
    tier: string | null,
  ) => {
    const { db } = deps;
    await storePerson(db, {
      emailNormalised: EMAIL,
      tier: 'premium',
      tierConfirmedVersion: 1,
      tierConfirmedAt: HOUR_AGO,
      tierSince: HOUR_AGO,
      status: 'active',
      statusSince: HOUR_AGO,
      learnedAt: HOUR_AGO,
      ...given,
    });
    await recordBeehiivEvent(db, EMAIL);
    const answer = await deps.newsletter.find('nobody@reader.example');
    const subscriber = tier === null ? null : { id: 'sub_1', status: 'active', tier };
    const find = () => Promise.resolve({ ...answer, ...toJudged('accepted'), subscriber });
    await serveBackground(withNewsletter(deps, { find }));
    const { tierVersion, notReceivingSince } = await readPerson(db);
    return [tierVersion, notReceivingSince !== null];
  };

  test.for([
    ['free here and there', { tier: 'free' }, 'free', [1, false]],
    ['premium here and there', {}, 'premium', [1, false]],
    ['premium here and free there', {}, 'free', [2, false]],
    ['at Beehiiv again', { notReceivingSince: HOUR_AGO }, 'premium', [2, true]],
    ['new there', { notReceivingSince: HOUR_AGO, tierConfirmedAt: null }, 'free', [2, true]],
    ['premium since the look-up', { tierConfirmedAt: new Date('2999-01-01') }, 'free', [1, false]],
    ['absent', {}, null, [1, true]],
    ['absent while the tier is being set', { tierVersion: 2 }, null, [2, false]],
  ] as const)('the tier of a person who is %s', async ([, given, tier, expected], { deps }) => {
    expect(await check(deps, given, tier)).toEqual(expected);
  });
});

const AN_HOUR = 3_600;

describe('an erasure', () => {
  test('an erasure deletes the subscriber, and later whoever is back, and the email', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    await requestRemoval(db, 'erasure', EMAIL);

    await serveUrgent(deps);

    expect(statusOf(sandbox)).toBeUndefined();
    const request = () => db('removal_requests').first();
    expect(await request()).toMatchObject({ emailNormalised: EMAIL, doneAt: null, attempts: 1 });
    await subscribe(sandbox);
    await db('differences').insert({ kind: 'unknown-here', emailNormalised: EMAIL });
    await advanceSyncClock(db, AN_HOUR);
    await serveUrgent(deps);

    expect(statusOf(sandbox)).toBeUndefined();
    expect(await request()).toMatchObject({
      emailNormalised: null,
      doneAt: expect.any(Date),
      attempts: 2,
    });
    for (const table of ['differences', 'email_leases', 'people'])
      expect(await db(table)).toEqual([]);
  });

  test('an erasure waits for the end of a pause, and trusts no absence without one', async ({
    deps,
    db,
    sandbox,
  }) => {
    const listFields = async () => ({
      ...(await deps.newsletter.listFields(1)),
      ...toJudged('publication-unknown'),
      page: null,
    });
    await requestRemoval(db, 'erasure', EMAIL);

    await serveUrgent(withNewsletter(deps, { listFields }));
    const paused = await db('sync_health').first();
    await subscribe(sandbox);
    expect(await serveUrgent(deps)).toBe(0);

    expect(paused.pauseReason).not.toBeNull();
    expect(statusOf(sandbox)).toBeDefined();
    expect(await db('removal_requests').first()).toMatchObject({ doneAt: null, deletedAt: null });
  });

  test('an erasure deletes nothing if it lost its lease while it waited for a slot', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    await requestRemoval(db, 'erasure', EMAIL);
    let slots = 0;
    const waitForSlot = async () => {
      slots += 1;
      if (slots !== 2) return true;
      await advanceSyncClock(db, 46);
      await serveUrgent(deps);
      await subscribe(sandbox);
      return true;
    };

    await serveUrgent({ ...deps, rateLimiter: { waitForSlot } });

    expect(slots).toBeGreaterThanOrEqual(2);
    expect(statusOf(sandbox)).toBeDefined();
  });
});

describe('an unsubscription', () => {
  test('an unsubscription empties our fields, then forgets the email', async ({
    deps,
    db,
    sandbox,
  }) => {
    const fields = [
      { name: 'full_name', value: 'Ada' },
      { name: 'other', value: 'stays' },
    ];
    await subscribe(sandbox, EMAIL, { custom_fields: fields });
    await requestRemoval(db, 'unsubscribe', EMAIL);

    await serveUrgent(deps);

    expect(statusOf(sandbox)).toBe('inactive');
    expect(sandbox.beehiiv.find(EMAIL)?.custom_fields).not.toContainEqual(fields[0]);
    expect(await db('people')).toMatchObject([
      { name: null, state: null, status: 'inactive', unsubscribedByUsAt: expect.any(Date) },
    ]);
    expect(await db('removal_requests')).toMatchObject([
      { emailNormalised: null, doneAt: expect.any(Date) },
    ]);
    expect(await db('email_leases')).toEqual([]);
  });

  test('somebody who had left by themselves was not unsubscribed by us', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    await leave(sandbox);
    await requestRemoval(db, 'unsubscribe', EMAIL);

    await serveUrgent(deps);

    expect(await db('removal_requests')).toMatchObject([{ doneAt: expect.any(Date) }]);
    expect(await db('people')).toEqual([]);
  });

  test.for([
    ['undone for free access', 'access', true],
    ['undone for a correction back', 'correction', true],
    ['not undone for a form', 'form', false],
  ] as const)(
    'an unsubscription is %s during it',
    async ([, act, isUndone], { deps, db, sandbox }) => {
      await subscribe(sandbox);
      const lead = act === 'correction' && (await storeLead(db, { email: EMAIL }));
      if (lead) await correctLead(db, lead, 'right@reader.example');
      await requestRemoval(db, 'unsubscribe', EMAIL);
      const unsubscribe: NewsletterPort['unsubscribe'] = async (...asked) => {
        const answer = await deps.newsletter.unsubscribe(...asked);
        if (lead) await correctLead(db, lead, EMAIL);
        else await storeLead(db, { email: EMAIL });
        if (act === 'access') await wantTier(db, EMAIL, 'premium');
        return answer;
      };

      await serveUrgent(withNewsletter(deps, { unsubscribe }));

      expect(await readPerson(db)).toMatchObject({
        status: 'inactive',
        unsubscribedByUsAt: expect.any(Date),
        mustActivate: isUndone,
      });
    },
  );

  test('an email that somebody uses during its run stays subscribed', async ({
    deps,
    db,
    sandbox,
  }) => {
    await subscribe(sandbox);
    await requestRemoval(db, 'unsubscribe', EMAIL);
    const find = async (email: string) => {
      await storeLead(db, { email });
      return deps.newsletter.find(email);
    };

    await serveUrgent(withNewsletter(deps, { find }));

    expect(statusOf(sandbox)).not.toBe('inactive');
    expect(await db('removal_requests')).toMatchObject([
      { emailNormalised: null, lastMessage: 'Somebody else uses this email' },
    ]);
  });
});
