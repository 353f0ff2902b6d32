import {
  advanceSyncClock,
  countLockWaits,
  openTransaction,
  storeLead,
  storePerson,
  wantTier,
} from '@site/testing/builders';
import { createDatabase } from '@site/platform/database/connect';
import { leaseEmail } from '@site/platform/outbox/email-lease';
import { claimRepair, recordRepair } from '../comparison/repair.ts';
import { lockPeople } from '@site/platform/people/person';
import { requestTier } from '@site/platform/people/tier';
import type { Sandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import { endPause } from '@site/platform/health/sync-health';
import { depsOf, EMAIL, RUN, storeSubscriber, test, tierOf } from '../testing/tier.fixture.ts';
import { syncDueTiers } from './tier.processor.ts';
import { confirmUnsent } from './tier.repository.ts';
import { processLead } from '../sync/sync.processor.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { buildSyncDeps } from '../testing/sync-deps.ts';

describe('a wanted tier', () => {
  test('a wanted tier is set once, with an attempt beside the lead’s own', async ({
    deps,
    db,
    sandbox,
  }) => {
    const lead = await storeSubscriber(db, sandbox);
    await wantTier(db, 'Priya@acquirers.example', 'premium');

    const runs = [await syncDueTiers(deps, RUN), await syncDueTiers(deps, RUN)];

    expect(runs).toEqual([1, 0]);
    expect(tierOf(sandbox)).toBe('premium');
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { emailNormalised: EMAIL, tierVersion: 1, tierConfirmedVersion: 1 },
    ]);
    expect(await db('lead_sync_attempts')).toMatchObject([
      { leadId: lead.id, kind: 'tier', class: 'accepted' },
    ]);
    expect(await db('email_leases')).toEqual([]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent' });
  });

  test('a tier that changes back and forth ends at its last version', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await syncDueTiers(deps, RUN);

    for (const tier of ['premium', 'free', 'premium', 'free', 'free'] as const)
      await wantTier(db, EMAIL, tier);
    await syncDueTiers(deps, RUN);

    expect(tierOf(sandbox)).toBe('free');
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tier: 'free', tierVersion: 4, tierConfirmedVersion: 4 },
    ]);
  });

  test('a live subscription without a tier, as in a restored backup, is given one', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    const live = {
      stripeCustomerId: 'cus_1',
      status: 'active',
      plan: 'monthly',
      amountPence: 23_900,
      snapshotAt: new Date(),
    };
    for (const [n, email] of [EMAIL, EMAIL, null].entries()) {
      await db('subscriptions').insert({
        ...live,
        id: randomUUID(),
        stripeSubscriptionId: `sub_${n}`,
        email,
      });
    }

    await syncDueTiers(deps, RUN);

    expect(tierOf(sandbox)).toBe('premium');
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { emailNormalised: EMAIL, tierVersion: 1, tierConfirmedVersion: 1 },
    ]);
  });

  test('an answer about a tier locks its person before the leads', async ({
    db,
    sandbox,
    deps,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    const { newsletter } = deps;
    const correction = await openTransaction(db);
    const run = syncDueTiers(
      {
        ...deps,
        newsletter: {
          ...newsletter,
          setTier: async (...asked) => {
            await lockPeople(correction, [EMAIL]);
            return newsletter.setTier(...asked);
          },
        },
      },
      RUN,
    );
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await correction('leads').where({ emailNormalised: EMAIL }).forNoKeyUpdate();
    await correction.commit();

    expect(await run).toBe(1);
    expect(await db('lead_sync_attempts')).toMatchObject([{ kind: 'tier', class: 'accepted' }]);
  });

  test('free tiers of emails without a sent lead are confirmed without waiting', async ({ db }) => {
    const isConfirmed = () => db('people').orderBy('email').pluck('tier_confirmed_version');
    for (const emailNormalised of ['zoe@reader.example', 'ada@reader.example'])
      await storePerson(db, { emailNormalised, tier: 'free' });
    const correction = await openTransaction(db);
    await correction('people').where({ email: 'ada@reader.example' }).forNoKeyUpdate();

    await confirmUnsent(db);
    expect(await isConfirmed()).toEqual([0, 1]);
    await correction.commit();
    await confirmUnsent(db);

    expect(await isConfirmed()).toEqual([1, 1]);
  });

  test('a tier that changes during its request is set next', async ({ db, sandbox, deps }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    const { newsletter } = deps;
    const interrupted = {
      ...deps,
      newsletter: {
        ...newsletter,
        setTier: async (email: string, tier: 'premium' | 'free') => {
          const answer = await newsletter.setTier(email, tier);
          await wantTier(db, EMAIL, 'free');
          return answer;
        },
      },
    };

    const runs = await syncDueTiers(interrupted, RUN);

    expect(runs).toBe(2);
    expect(tierOf(sandbox)).toBe('free');
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierVersion: 2, tierConfirmedVersion: 2 },
    ]);
  });

  test('a tier waits until the lead is sent, since there is no subscriber before', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeLead(db, { email: EMAIL });
    await wantTier(db, EMAIL, 'premium');
    const early = await syncDueTiers(deps, RUN);
    await storeSubscriber(db, sandbox);

    await syncDueTiers(deps, RUN);

    expect(early).toBe(0);
    expect(tierOf(sandbox)).toBe('premium');
  });

  test('a waiting tier does not block other tiers', async ({ deps, db, sandbox }) => {
    await wantTier(db, 'nobody-yet@acquirers.example', 'premium');
    await storeSubscriber(db, sandbox, 'held@acquirers.example');
    await wantTier(db, 'held@acquirers.example', 'premium');
    await leaseEmail(db, 'held@acquirers.example', randomUUID());
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');

    expect(await syncDueTiers(deps, RUN)).toBe(1);
    expect(tierOf(sandbox)).toBe('premium');
  });

  test('a wanted "free" for an email that was never premium does nothing', async ({ db }) => {
    await wantTier(db, EMAIL, 'free');

    expect(await db('people').whereNotNull('tier')).toEqual([]);
  });

  test('a tier waits while another run holds the email', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await leaseEmail(db, EMAIL, randomUUID());

    const during = await syncDueTiers(deps, RUN);
    await advanceSyncClock(db, 46);
    const after = await syncDueTiers(deps, RUN);

    expect([during, after]).toEqual([0, 1]);
  });

  test('a tier waits while the email is being erased', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await db('removal_requests').insert({
      kind: 'erasure',
      id: randomUUID(),
      emailNormalised: EMAIL,
      requestedBy: 'j.holt',
      erased: '{}',
    });

    expect(await syncDueTiers(deps, RUN)).toBe(0);
    expect(tierOf(sandbox)).toBe('free');
  });
});

describe('a tier that cannot be set', () => {
  test.for(['failure-before', 'refused'] as const)(
    'a tier that cannot be set after %s is retried with backoff',
    async (script, { db }) => {
      const scripted = createScriptedNewsletter();
      scripted.subscribers.set(EMAIL, {} as never);
      const deps = { ...buildSyncDeps(db, {}), newsletter: scripted.port };
      await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
      await wantTier(db, EMAIL, 'premium');
      scripted.play([script]);

      const first = await syncDueTiers(deps, RUN);
      const waiting = await db('people').whereNotNull('tier').first();
      const health = await db('sync_health').first();
      await advanceSyncClock(db, 31);
      const second = await syncDueTiers(deps, RUN);

      expect([first, second]).toEqual([1, 1]);
      expect(waiting).toMatchObject({ tierConfirmedVersion: 0, tierAttempts: 1 });
      // A failed tier does not count towards an outage of leads.
      expect(health).toMatchObject({ pausedSince: null, refusalStreak: 0, failureStreak: 0 });
      expect(scripted.tiers.get(EMAIL)).toBe('premium');
    },
  );

  test('a 429 does not count as an attempt at a tier', async ({ db }) => {
    const scripted = createScriptedNewsletter();
    scripted.subscribers.set(EMAIL, {} as never);
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');
    scripted.play(['too-many']);

    await syncDueTiers({ ...buildSyncDeps(db, {}), newsletter: scripted.port }, RUN);

    expect(await db('people').whereNotNull('tier').first()).toMatchObject({
      tierConfirmedVersion: 0,
      tierAttempts: 0,
    });
  });

  test('a wrong key pauses the sync, and the tier is set when the pause ends', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await syncDueTiers(depsOf(db, sandbox, { apiKey: 'wrong' }), RUN);
    const paused = await db('sync_health').first();
    const during = await syncDueTiers(deps, RUN);

    await endPause(db);
    const after = await syncDueTiers(deps, RUN);

    expect(paused).toMatchObject({ pauseSetting: 'BEEHIIV_API_KEY' });
    expect([during, after]).toEqual([0, 1]);
    expect(tierOf(sandbox)).toBe('premium');
  });

  test('if the key is refused for one tier alone, only that tier waits', async ({ db }) => {
    const scripted = createScriptedNewsletter();
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');
    scripted.play(['wrong-key']);

    await syncDueTiers({ ...buildSyncDeps(db, {}), newsletter: scripted.port }, RUN);

    expect(await db('sync_health').first()).toMatchObject({ pausedSince: null });
    expect(await db('people').whereNotNull('tier').first()).toMatchObject({
      tierConfirmedVersion: 0,
      tierAttempts: 1,
    });
  });

  test('a tier is set again after a worker stopped during its run', async ({ db }) => {
    const scripted = createScriptedNewsletter();
    scripted.subscribers.set(EMAIL, {} as never);
    const deps = { ...buildSyncDeps(db, {}), newsletter: scripted.port };
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');
    scripted.play(['crash-after']);
    await expect(syncDueTiers(deps, RUN)).rejects.toThrow('crash-after');
    await wantTier(db, EMAIL, 'free');

    const early = await syncDueTiers(deps, RUN);
    await advanceSyncClock(db, 46);
    await syncDueTiers(deps, RUN);

    expect(early).toBe(0);
    expect(scripted.tiers.get(EMAIL)).toBe('free');
    expect(await db('lead_sync_attempts').orderBy('number')).toMatchObject([
      { class: 'unknown' },
      { class: 'accepted' },
    ]);
  });

  test('a tier of an absent subscriber names the reason', async ({ deps, db }) => {
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');

    await syncDueTiers(deps, RUN);

    expect(await db('people').whereNotNull('tier')).toMatchObject([{ tierConfirmedVersion: 0 }]);
    expect(await db('lead_sync_attempts')).toMatchObject([
      { message: 'Beehiiv does not know the email' },
    ]);
  });
});

describe('a payment', () => {
  const statusOf = (sandbox: Sandbox) => sandbox.beehiiv.find(EMAIL)?.status;
  const unsubscribe = (sandbox: Sandbox) => {
    const { url, credentials } = sandbox;
    return fetch(
      `${url}/v2/publications/${credentials.beehiivPublicationId}/subscriptions/by_email/${EMAIL}`,
      {
        method: 'PUT',
        headers: {
          Authorization: `Bearer ${credentials.beehiivApiKey}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ unsubscribe: true }),
      },
    );
  };

  test('a payment makes a subscriber active who never confirmed', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox, EMAIL, { double_opt_override: 'on' });
    const before = statusOf(sandbox);
    await wantTier(db, EMAIL, 'premium', { isPayment: true });

    await syncDueTiers(deps, RUN);

    expect([before, statusOf(sandbox)]).toEqual(['pending', 'active']);
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierConfirmedVersion: 1, mustActivate: false },
    ]);
  });

  test('a payment reactivates nobody who unsubscribed after it', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox, EMAIL, { double_opt_override: 'on' });
    await deps.newsletter.activate(sandbox.beehiiv.find(EMAIL)!.id);
    await wantTier(db, EMAIL, 'premium', { isPayment: true });
    let tries = 0;
    const newsletter: SyncDeps['newsletter'] = {
      ...deps.newsletter,
      setTier: async (email, tier) => {
        const answer = await deps.newsletter.setTier(email, tier);
        return (tries += 1) === 1
          ? { ...answer, class: 'transient', isOutcomeKnown: false, subscriber: null }
          : answer;
      },
    };
    await syncDueTiers({ ...deps, newsletter }, RUN);

    await unsubscribe(sandbox);
    await advanceSyncClock(db, 60);
    await syncDueTiers({ ...deps, newsletter }, RUN);

    expect(statusOf(sandbox)).toBe('inactive');
    expect(await db('people').whereNotNull('tier')).toMatchObject([
      { tierConfirmedVersion: 1, mustActivate: false },
    ]);
  });

  /** Sends requests, once without an answer. */
  const unanswered = (
    deps: SyncDeps,
    name: 'add' | 'activate',
    httpStatus: number | null,
  ): SyncDeps => {
    let requests = 0;
    const once = async <T extends object>(answer: Promise<T>) =>
      ((requests += 1), requests > 1)
        ? answer
        : { ...(await answer), class: 'transient' as const, httpStatus, isOutcomeKnown: false };
    const { newsletter } = deps;
    return {
      ...deps,
      newsletter:
        name === 'add'
          ? {
              ...newsletter,
              add: async (given) => ({ ...(await once(newsletter.add(given))), subscriber: null }),
            }
          : { ...newsletter, activate: (id) => once(newsletter.activate(id)) },
    };
  };

  test.for([
    ['inactive', 'add', null],
    ['inactive', 'add', 502],
    ['pending', 'activate', null],
  ] as const)(
    'an unanswered request of a payment is not repeated for a leaver (%s, %s, %s)',
    async ([status, name, httpStatus], { deps, db, sandbox }) => {
      await storeSubscriber(
        db,
        sandbox,
        EMAIL,
        status === 'pending' ? { double_opt_override: 'on' } : {},
      );
      if (status === 'inactive') await unsubscribe(sandbox);
      await wantTier(db, EMAIL, 'premium', { isPayment: true });
      const doubtful = unanswered(deps, name, httpStatus);
      await syncDueTiers(doubtful, RUN);
      const afterPayment = statusOf(sandbox);

      await unsubscribe(sandbox);
      await advanceSyncClock(db, 60);
      await syncDueTiers(doubtful, RUN);

      expect(afterPayment).not.toBe(status);
      expect(statusOf(sandbox)).toBe('inactive');
      expect(await db('people').whereNotNull('tier')).toMatchObject([
        { tierConfirmedVersion: 1, mustActivate: false },
      ]);
    },
  );

  test('a tier without a payment does not reactivate an unsubscribed person', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await unsubscribe(sandbox);
    await wantTier(db, EMAIL, 'premium');

    await syncDueTiers(deps, RUN);

    expect([statusOf(sandbox), tierOf(sandbox)]).toEqual(['inactive', 'premium']);
    expect(await db('people').whereNotNull('status')).toMatchObject([
      { emailNormalised: EMAIL, status: 'inactive' },
    ]);
  });

  test('a payer who left confirms a later consent, and only a payment needs none', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium', { isPayment: true });
    await syncDueTiers(deps, RUN);
    await unsubscribe(sandbox);
    await storeLead(db, { email: EMAIL, urgency: 'priority' });
    await processLead(deps, 'urgent', RUN);
    await syncDueTiers(deps, RUN);
    const afterConsent = [statusOf(sandbox), tierOf(sandbox)];
    expect(await db('people').first()).toMatchObject({ tierVersion: 2, tierConfirmedVersion: 2 });

    await db('people').update({ tierVersion: 3, mustActivate: true });
    await syncDueTiers(deps, RUN);

    expect(afterConsent).toEqual(['pending', 'premium']);
    expect([statusOf(sandbox), tierOf(sandbox)]).toEqual(['active', 'premium']);
  });

  test('a payment reactivates a former subscriber after a failure that had no effect', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await unsubscribe(sandbox);
    await wantTier(db, EMAIL, 'premium', { isPayment: true });
    const failed = {
      ...(await deps.newsletter.find(EMAIL)),
      class: 'transient',
      httpStatus: 500,
    } as const;
    const add = () => Promise.resolve({ ...failed, subscriber: null, isOutcomeKnown: false });
    await syncDueTiers({ ...deps, newsletter: { ...deps.newsletter, add } }, RUN);

    await advanceSyncClock(db, 60);
    await syncDueTiers(deps, RUN);

    expect(statusOf(sandbox)).toBe('validating');
  });

  test('a payment during the run of an earlier one reactivates too', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium', { isPayment: true });
    let tries = 0;
    const setTier: SyncDeps['newsletter']['setTier'] = async (email, tier) => {
      const answer = await deps.newsletter.setTier(email, tier);
      if ((tries += 1) > 1) return answer;
      await unsubscribe(sandbox);
      for (const tier of ['free', 'premium'] as const)
        await wantTier(db, EMAIL, tier, { isPayment: true });
      return answer;
    };

    await syncDueTiers({ ...deps, newsletter: { ...deps.newsletter, setTier } }, RUN);

    expect(statusOf(sandbox)).toBe('validating');
  });

  test('a payment reactivates once, and a later unsubscription stays', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await unsubscribe(sandbox);
    await wantTier(db, EMAIL, 'premium', { isPayment: true });
    await syncDueTiers(deps, RUN);
    const afterPayment = statusOf(sandbox);

    await unsubscribe(sandbox);
    await requestTier(db, EMAIL, 'premium');
    await syncDueTiers(deps, RUN);

    expect(afterPayment).toBe('validating');
    expect(statusOf(sandbox)).toBe('inactive');
    expect(tierOf(sandbox)).toBe('premium');
  });
});

test('a subscriber who is added again becomes premium again', async ({ deps, db, sandbox }) => {
  const lead = await storeSubscriber(db, sandbox);
  await wantTier(db, EMAIL, 'premium');
  await syncDueTiers(deps, RUN);
  const repair = await claimRepair(db, {
    leadId: lead.id,
    attemptId: randomUUID(),
    worker: 'test-worker',
  });
  const accepted = {
    class: 'accepted',
    reason: 'accepted',
    httpStatus: 201,
    message: 'added',
    response: '',
    requestId: null,
  } as const;

  await recordRepair(
    db,
    deps.newId(),
    repair!,
    { ...accepted, tookMs: 1, isOutcomeKnown: true },
    null,
  );
  await db('email_leases').delete();

  expect(await syncDueTiers(deps, RUN)).toBe(1);
  expect(await db('people').whereNotNull('tier')).toMatchObject([
    { tierVersion: 2, tierConfirmedVersion: 2 },
  ]);
});

test('two workers set a tier once', async ({ deps, db, databaseUrl, sandbox, onTestFinished }) => {
  const other = createDatabase({ url: databaseUrl });
  onTestFinished(() => other.destroy());
  await storeSubscriber(db, sandbox);
  await wantTier(db, EMAIL, 'premium');

  const runs = await Promise.all([
    syncDueTiers(deps, RUN),
    syncDueTiers(depsOf(other, sandbox), RUN),
  ]);

  expect(runs.reduce((sum, run) => sum + run)).toBe(1);
  expect(await db('lead_sync_attempts')).toHaveLength(1);
});
