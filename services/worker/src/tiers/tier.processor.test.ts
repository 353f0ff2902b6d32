import { test as base } from '@site/testing/fixtures';
import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { leaseAddress } from '@site/platform/outbox/address-lease';
import { createLogger } from '@site/platform/logger';
import { claimRepair, recordRepair } from '../reconcile/repair.repository.ts';
import { wantTier } from '@site/platform/outbox/tiers';
import type { Sandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import { connectTestNewsletter } from '../testing/worker.fixture.ts';
import { settleDueTiers } from './tier.processor.ts';
import type { TierDeps } from './tier.processor.ts';

const test = base.extend('deps', ({ db, sandbox }) => depsOf(db, sandbox));

const EMAIL = 'priya@acquirers.example';
const RUN = new AbortController().signal;

function depsOf(db: Database, sandbox: Sandbox, options: { apiKey?: string } = {}): TierDeps {
  return {
    ...connectTestNewsletter({ sandbox, ...options }, db),
    db,
    backoffBaseMs: 30_000,
    random: () => 0.5,
    newId: randomUUID,
    worker: 'test-worker',
    log: createLogger({ service: 'worker', level: 'silent' }),
  };
}

/** A subscriber who is there, made by a lead that was sent. */
async function storeSubscriber(db: Database, sandbox: Sandbox, email = EMAIL) {
  const { url, credentials } = sandbox;
  const answer = await fetch(`${url}/v2/publications/${credentials.beehiivPublicationId}/subscriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${credentials.beehiivApiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  expect(answer.status).toBe(201);
  return storeLead(db, { email, beehiivStatus: 'sent', beehiivSentAt: new Date(), nextAttemptAt: null });
}

const tierOf = (sandbox: Sandbox, email = EMAIL) => sandbox.beehiiv.find(email)?.subscription_tier;

describe('a wanted tier', () => {
  test('is brought about once, with an attempt beside those of the lead', async ({ deps, db, sandbox }) => {
    const lead = await storeSubscriber(db, sandbox);
    await wantTier(db, 'Priya@acquirers.example', 'premium');

    const runs = [await settleDueTiers(deps, RUN), await settleDueTiers(deps, RUN)];

    expect(runs).toEqual([1, 0]);
    expect(tierOf(sandbox)).toBe('premium');
    expect(await db('subscriber_tiers')).toMatchObject([{ emailNormalised: EMAIL, version: 1, confirmedVersion: 1 }]);
    expect(await db('lead_sync_attempts')).toMatchObject([{ leadId: lead.id, kind: 'tier', class: 'accepted' }]);
    expect(await db('address_leases')).toEqual([]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent' });
  });

  test('goes back and forth, a version each time, and the last word counts', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await settleDueTiers(deps, RUN);

    for (const tier of ['premium', 'free', 'premium', 'free', 'free'] as const) await wantTier(db, EMAIL, tier);
    await settleDueTiers(deps, RUN);

    expect(tierOf(sandbox)).toBe('free');
    expect(await db('subscriber_tiers')).toMatchObject([{ wanted: 'free', version: 4, confirmedVersion: 4 }]);
  });

  test('that changes while its request is under way is brought about next', async ({ db, sandbox, deps }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    const { newsletter } = deps;
    const interrupted = {
      ...deps,
      newsletter: {
        setTier: async (email: string, tier: 'premium' | 'free') => {
          const answer = await newsletter.setTier(email, tier);
          await wantTier(db, EMAIL, 'free');
          return answer;
        },
      },
    };

    const runs = await settleDueTiers(interrupted, RUN);

    expect(runs).toBe(2);
    expect(tierOf(sandbox)).toBe('free');
    expect(await db('subscriber_tiers')).toMatchObject([{ version: 2, confirmedVersion: 2 }]);
  });

  test('waits for the subscriber: a lead that is not sent yet has nobody to make premium', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeLead(db, { email: EMAIL });
    await wantTier(db, EMAIL, 'premium');
    const early = await settleDueTiers(deps, RUN);
    await storeSubscriber(db, sandbox);

    await settleDueTiers(deps, RUN);

    expect(early).toBe(0);
    expect(tierOf(sandbox)).toBe('premium');
  });

  test('that waits for its subscriber, or for another run, holds up nobody else', async ({ deps, db, sandbox }) => {
    await wantTier(db, 'nobody-yet@acquirers.example', 'premium');
    await storeSubscriber(db, sandbox, 'held@acquirers.example');
    await wantTier(db, 'held@acquirers.example', 'premium');
    await leaseAddress(db, 'held@acquirers.example', randomUUID());
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');

    expect(await settleDueTiers(deps, RUN)).toBe(1);
    expect(tierOf(sandbox)).toBe('premium');
  });

  test('"free" of an address that never was premium asks for nothing', async ({ db }) => {
    await wantTier(db, EMAIL, 'free');

    expect(await db('subscriber_tiers')).toEqual([]);
  });

  test('waits while another run serves the address', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await leaseAddress(db, EMAIL, randomUUID());

    const during = await settleDueTiers(deps, RUN);
    await advanceSyncClock(db, 46);
    const after = await settleDueTiers(deps, RUN);

    expect([during, after]).toEqual([0, 1]);
  });
});

describe('a tier that cannot be set', () => {
  test.for(['fault-before', 'refused'] as const)('%s: waits, and is tried again later', async (script, { db }) => {
    const scripted = createScriptedNewsletter();
    scripted.subscribers.set(EMAIL, {} as never);
    const deps = { ...plainDeps(db), newsletter: scripted.port };
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');
    scripted.play([script]);

    const first = await settleDueTiers(deps, RUN);
    const waiting = await db('subscriber_tiers').first();
    const health = await db('sync_health').first();
    await advanceSyncClock(db, 31);
    const second = await settleDueTiers(deps, RUN);

    expect([first, second]).toEqual([1, 1]);
    expect(waiting).toMatchObject({ confirmedVersion: 0, attempts: 1 });
    // A subscriber's tier says nothing of how leads fare.
    expect(health).toMatchObject({ pausedSince: null, permanentStreak: 0, transientStreak: 0 });
    expect(scripted.tiers.get(EMAIL)).toBe('premium');
  });

  test('that meets a 429 is none the later for it', async ({ db }) => {
    const scripted = createScriptedNewsletter();
    scripted.subscribers.set(EMAIL, {} as never);
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');
    scripted.play(['too-many']);

    await settleDueTiers({ ...plainDeps(db), newsletter: scripted.port }, RUN);

    expect(await db('subscriber_tiers').first()).toMatchObject({ confirmedVersion: 0, attempts: 0 });
  });

  test('with a wrong key pauses everybody, and the first tier that passes ends the pause', async ({
    deps,
    db,
    sandbox,
  }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await settleDueTiers(depsOf(db, sandbox, { apiKey: 'wrong' }), RUN);
    const paused = await db('sync_health').first();
    const early = await settleDueTiers(deps, RUN);
    await advanceSyncClock(db, 16);

    const probe = await settleDueTiers(deps, RUN);

    expect(paused).toMatchObject({ pauseSetting: 'BEEHIIV_API_KEY' });
    expect([early, probe]).toEqual([0, 1]);
    expect(await db('sync_health').first()).toMatchObject({ pausedSince: null, nextProbeAt: null });
    expect(tierOf(sandbox)).toBe('premium');
  });

  test('leaves a pause that is about leads alone, and waits behind it', async ({ deps, db, sandbox }) => {
    await storeSubscriber(db, sandbox);
    await wantTier(db, EMAIL, 'premium');
    await db('sync_health').update({
      pausedSince: new Date(),
      pauseReason: '20 refusals in a row',
      pauseSetting: 'BEEHIIV_* settings',
      nextProbeAt: new Date(0),
    });

    expect(await settleDueTiers(deps, RUN)).toBe(0);
    expect(tierOf(sandbox)).toBe('free');
  });

  test('is set again after a run that ended without a word', async ({ db }) => {
    const scripted = createScriptedNewsletter();
    scripted.subscribers.set(EMAIL, {} as never);
    const deps = { ...plainDeps(db), newsletter: scripted.port };
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');
    scripted.play(['crash-after']);
    await expect(settleDueTiers(deps, RUN)).rejects.toThrow('crash-after');
    await wantTier(db, EMAIL, 'free');

    const early = await settleDueTiers(deps, RUN);
    await advanceSyncClock(db, 46);
    await settleDueTiers(deps, RUN);

    expect(early).toBe(0);
    expect(scripted.tiers.get(EMAIL)).toBe('free');
    expect(await db('lead_sync_attempts').orderBy('number')).toMatchObject([
      { class: 'unknown' },
      { class: 'accepted' },
    ]);
  });

  test('of a subscriber who is not there says so', async ({ deps, db }) => {
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent', nextAttemptAt: null });
    await wantTier(db, EMAIL, 'premium');

    await settleDueTiers(deps, RUN);

    expect(await db('subscriber_tiers')).toMatchObject([
      { confirmedVersion: 0, lastMessage: 'Beehiiv does not know the address' },
    ]);
  });
});

test('a subscriber who is added again is made premium again', async ({ deps, db, sandbox }) => {
  const lead = await storeSubscriber(db, sandbox);
  await wantTier(db, EMAIL, 'premium');
  await settleDueTiers(deps, RUN);
  const repair = await claimRepair(db, { leadId: lead.id, attemptId: randomUUID(), worker: 'test-worker' });
  const accepted = { class: 'accepted', httpStatus: 201, message: 'added', response: '', requestId: null } as const;

  await recordRepair(db, deps.newId(), repair!, { ...accepted, tookMs: 1, isOutcomeKnown: true }, null);
  await db('address_leases').delete();

  expect(await settleDueTiers(deps, RUN)).toBe(1);
  expect(await db('subscriber_tiers')).toMatchObject([{ version: 2, confirmedVersion: 2 }]);
});

test('two workers bring one tier about once', async ({ deps, db, databaseUrl, sandbox, onTestFinished }) => {
  const other = createDatabase({ url: databaseUrl });
  onTestFinished(() => other.destroy());
  await storeSubscriber(db, sandbox);
  await wantTier(db, EMAIL, 'premium');

  const runs = await Promise.all([settleDueTiers(deps, RUN), settleDueTiers(depsOf(other, sandbox), RUN)]);

  expect(runs.reduce((sum, run) => sum + run)).toBe(1);
  expect(await db('lead_sync_attempts')).toHaveLength(1);
});

function plainDeps(db: Database): TierDeps {
  return {
    db,
    rateLimiter: { pass: () => Promise.resolve(null) },
    newsletter: createScriptedNewsletter().port,
    backoffBaseMs: 30_000,
    random: () => 0.5,
    newId: randomUUID,
    worker: 'test-worker',
    log: createLogger({ service: 'worker', level: 'silent' }),
  };
}
