import {
  advanceSyncClock,
  countLockWaits,
  openTransaction,
  requestRemoval,
  storeLead,
  storePerson,
  wantTier,
} from '@site/testing/builders';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { leaseEmail } from '@site/platform/outbox/email-lease';
import { lockPeople } from '@site/platform/people/person';
import { toJudged } from '@site/schema/beehiiv-answers';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { processLead } from '../sync/sync.processor.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { depsOf, EMAIL, leave, RUN, SENT, serveUrgent } from '../testing/person.fixture.ts';
import {
  statusOf,
  storeSubscriber,
  subscribe,
  test,
  tierOf,
  withNewsletter,
} from '../testing/person.fixture.ts';

const want = (db: Database, tier: 'premium' | 'free' = 'premium') => wantTier(db, EMAIL, tier);
const pay = (db: Database) => wantTier(db, EMAIL, 'premium', { isPayment: true });
const readTier = (db: Database) => db('people').where({ emailNormalised: EMAIL }).first();

describe('a wanted tier', () => {
  test('a wanted tier is set by one of two workers, with an attempt beside the lead’s', async ({
    deps,
    db,
    databaseUrl,
    sandbox,
    onTestFinished,
  }) => {
    const other = createDatabase({ url: databaseUrl });
    onTestFinished(() => other.destroy());
    const lead = await storeSubscriber(db, sandbox);
    await want(db);

    const runs = await Promise.all([serveUrgent(deps), serveUrgent(depsOf(other, sandbox))]);

    expect(runs.reduce((sum, run) => sum + run)).toBe(1);
    expect(tierOf(sandbox)).toBe('premium');
    expect(await readTier(db)).toMatchObject({ tierVersion: 1, tierConfirmedVersion: 1 });
    expect(await db('lead_sync_attempts')).toMatchObject([
      { leadId: lead.id, kind: 'tier', class: 'accepted' },
    ]);
    expect(await db('email_leases')).toEqual([]);
  });

  test('an answer about a tier locks its person before the leads', async ({
    db,
    sandbox,
    deps,
  }) => {
    await storeSubscriber(db, sandbox);
    await want(db);
    const correction = await openTransaction(db);
    const run = serveUrgent(
      withNewsletter(deps, {
        setTier: async (...asked) => {
          await lockPeople(correction, [EMAIL]);
          return deps.newsletter.setTier(...asked);
        },
      }),
    );
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await correction('leads').where({ emailNormalised: EMAIL }).forNoKeyUpdate();
    await correction.commit();

    expect(await run).toBe(1);
    expect(await db('lead_sync_attempts')).toMatchObject([{ kind: 'tier', class: 'accepted' }]);
  });

  test.for(['find', 'setTier'] as const)(
    'a tier that changes during "%s" is not set, or set next',
    async (request, { db, sandbox, deps }) => {
      await storeSubscriber(db, sandbox);
      await want(db);
      const set: string[] = [];
      const change = async () => {
        if ((await readTier(db)).tier === 'premium') await want(db, 'free');
      };
      const changing = withNewsletter(deps, {
        find: async (email) => {
          const answer = await deps.newsletter.find(email);
          if (request === 'find') await change();
          return answer;
        },
        setTier: async (email, tier) => {
          set.push(tier);
          const answer = await deps.newsletter.setTier(email, tier);
          if (request === 'setTier') await change();
          return answer;
        },
      });

      expect(await serveUrgent(changing)).toBe(2);
      expect(set).toEqual(request === 'find' ? ['free'] : ['premium', 'free']);
      expect(await readTier(db)).toMatchObject({ tierVersion: 2, tierConfirmedVersion: 2 });
    },
  );

  test('tiers of unsent leads, leased emails and erasures wait, and block no other', async ({
    deps,
    db,
    sandbox,
  }) => {
    const [unsent, leased, erased] = ['unsent', 'leased', 'erased'].map(
      (name) => `${name}@acquirers.example`,
    ) as [string, string, string];
    await storeLead(db, { email: unsent });
    for (const email of [leased, erased, EMAIL]) await storeSubscriber(db, sandbox, email);
    for (const email of [unsent, leased, erased, EMAIL]) await wantTier(db, email, 'premium');
    await leaseEmail(db, leased, randomUUID());
    const nextAttemptAt = new Date(Date.now() + 60_000);
    await requestRemoval(db, 'erasure', erased, { nextAttemptAt });

    expect(await serveUrgent(deps)).toBe(1);
    expect([erased, leased, EMAIL].map((email) => tierOf(sandbox, email))).toEqual([
      'free',
      'free',
      'premium',
    ]);
    await advanceSyncClock(db, 46);
    expect(await serveUrgent(deps)).toBe(1);
    expect(tierOf(sandbox, leased)).toBe('premium');
  });

  test('an email without a sent lead is free, and no request says so', async ({ deps, db }) => {
    await storeLead(db, { email: EMAIL, beehiivStatus: 'failed', nextAttemptAt: null });
    for (const tier of ['premium', 'free'] as const) await want(db, tier);

    expect(await serveUrgent(deps)).toBe(0);
    expect(await readTier(db)).toMatchObject({ tierVersion: 2, tierConfirmedVersion: 2 });
  });
});

describe('an email that Beehiiv does not know', () => {
  test('an unknown email does not receive after three attempts, until it is added', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeLead(db, { ...SENT, email: EMAIL });
    await want(db);
    const states = [];
    for (const minute of [0, 10, 20, 30]) {
      await advanceSyncClock(db, minute * 60);
      const runs = await serveUrgent(deps);
      const tier = await readTier(db);
      states.push([runs, tier.tierConfirmedVersion, tier.notReceivingSince !== null]);
    }

    expect(states).toEqual([
      [1, 0, false],
      [1, 0, false],
      [1, 1, true],
      [0, 1, true],
    ]);
    expect((await db('lead_sync_attempts').first()).message).toBe(
      'Beehiiv does not know the email',
    );
    await storeLead(db, { email: EMAIL });
    await processLead(deps, 'urgent', RUN);
    await serveUrgent(deps);
    expect(tierOf(sandbox)).toBe('premium');
    expect(await readTier(db)).toMatchObject({ tierConfirmedVersion: 2, notReceivingSince: null });
  });
});

describe('a payment', () => {
  /** Sends requests, once without an answer. */
  const unanswered = (
    deps: SyncDeps,
    name: 'add' | 'activate' | 'setTier',
    httpStatus: number | null,
  ): SyncDeps => {
    let requests = 0;
    const once = async <T extends object>(answer: Promise<T>) =>
      ((requests += 1), requests > 1)
        ? answer
        : { ...(await answer), ...toJudged('no-answer'), httpStatus, isOutcomeKnown: false };
    const { newsletter } = deps;
    return withNewsletter(
      deps,
      {
        add: {
          add: async (given: Parameters<typeof newsletter.add>[0]) => ({
            ...(await once(newsletter.add(given))),
            subscriber: null,
          }),
        },
        activate: { activate: (id: string) => once(newsletter.activate(id)) },
        setTier: {
          setTier: (...asked: Parameters<typeof newsletter.setTier>) =>
            once(newsletter.setTier(...asked)),
        },
      }[name],
    );
  };

  test.for([
    ['inactive', 'add', null],
    ['inactive', 'add', 502],
    ['pending', 'activate', null],
    ['active', 'setTier', null],
  ] as const)(
    'an unanswered request of a payment is not repeated for a leaver (%s, %s, %s)',
    async ([status, name, httpStatus], { deps, db, sandbox }) => {
      const isPending = status === 'pending';
      await storeSubscriber(db, sandbox, EMAIL, isPending ? { double_opt_override: 'on' } : {});
      if (status === 'inactive') await leave(sandbox);
      await pay(db);
      const doubtful = unanswered(deps, name, httpStatus);
      await serveUrgent(doubtful);
      const afterPayment = statusOf(sandbox);

      await leave(sandbox);
      await advanceSyncClock(db, 60);
      await serveUrgent(doubtful);

      expect(afterPayment).not.toBe(status);
      expect([statusOf(sandbox), tierOf(sandbox)]).toEqual(['inactive', 'premium']);
      expect(await readTier(db)).toMatchObject({ tierConfirmedVersion: 1, mustActivate: false });
    },
  );

  test.for([{ isSent: true }, { isSent: false }])(
    'our own unsubscription is undone though access ended early (%o)',
    async ({ isSent }, { deps, db, sandbox }) => {
      if (isSent) await storeSubscriber(db, sandbox);
      else await subscribe(sandbox);
      await leave(sandbox);
      await storePerson(db, {
        emailNormalised: EMAIL,
        status: 'inactive',
        learnedAt: new Date(),
        unsubscribedByUsAt: new Date(),
      });
      if (!isSent) await storeLead(db, { email: EMAIL });
      await want(db);
      await want(db, 'free');
      await serveUrgent(deps);
      if (!isSent) await processLead(deps, 'urgent', RUN);

      expect([statusOf(sandbox), tierOf(sandbox)]).toEqual(['validating', 'free']);
      expect(await readTier(db)).toMatchObject({ mustActivate: false, unsubscribedByUsAt: null });
    },
  );

  test('a payment reactivates a former subscriber after a failure that had no effect', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await leave(sandbox);
    await pay(db);
    const failed = {
      ...(await deps.newsletter.find(EMAIL)),
      ...toJudged('server-error'),
      httpStatus: 500,
      subscriber: null,
      isOutcomeKnown: false,
    };
    await serveUrgent(withNewsletter(deps, { add: () => Promise.resolve(failed) }));

    await advanceSyncClock(db, 60);
    await serveUrgent(deps);

    expect(statusOf(sandbox)).toBe('validating');
  });

  test('a payment during the run of an earlier one reactivates too', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await pay(db);
    let tries = 0;
    const setTier: SyncDeps['newsletter']['setTier'] = async (email, tier) => {
      const answer = await deps.newsletter.setTier(email, tier);
      if ((tries += 1) > 1) return answer;
      await leave(sandbox);
      await want(db, 'free');
      await pay(db);
      return answer;
    };

    await serveUrgent(withNewsletter(deps, { setTier }));

    expect(statusOf(sandbox)).toBe('validating');
  });
});
