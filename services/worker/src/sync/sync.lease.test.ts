import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { recordInHealth } from '@site/platform/health/sync-health';
import { afterEach, expect, vi } from 'vitest';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import { processLead } from './sync.processor.ts';
import type { SyncDeps } from './sync.processor.ts';
import { buildSyncDeps } from '../testing/sync-deps.ts';

const never = new AbortController().signal;
const email = 'ada@reader.example';

function depsOf(db: Database, changes: Partial<SyncDeps> = {}) {
  const scripted = createScriptedNewsletter();
  return { scripted, deps: buildSyncDeps(db, { newsletter: scripted.port, ...changes }) };
}

afterEach(() => void vi.useRealTimers());

test('a run keeps its lead while it waits longer than a lease', async ({ db }) => {
  await storeLead(db, { email, outcomeUnknown: true });
  const endOf = async (): Promise<Date> => (await db('email_leases').first()).leasedUntil;
  let slots = 0;
  const rateLimiter: RateLimiter = {
    async waitForSlot() {
      if (++slots < 2) return true;
      for (const seconds of [20, 40, 60]) {
        const before = await endOf();
        await advanceSyncClock(db, seconds);
        vi.advanceTimersByTime(15_000);
        await expect.poll(async () => (await endOf()) > before).toBe(true);
      }
      return true;
    },
  };
  const { deps, scripted } = depsOf(db, { rateLimiter });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

  await processLead(deps, 'urgent', never);

  expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent' });
  expect(scripted.subscribers.has(email)).toBe(true);
});

test('only an accepted addition since the last attempt makes it spend budget', async ({ db }) => {
  await storeLead(db, { email });
  const { deps, scripted } = depsOf(db);
  const accepted = {
    class: 'accepted',
    reason: 'accepted',
    httpStatus: 200,
    message: '',
    response: '',
    requestId: null,
  } as const;
  const accept = (hasAdded: boolean) =>
    recordInHealth(db, { ...accepted, tookMs: 1, isOutcomeKnown: true, hasAdded }, false);
  const spentBy = async () => {
    await db('leads').update({ nextAttemptAt: db.raw('sync_now()') });
    scripted.play(['failure-before']);
    await processLead(deps, 'urgent', never);
    return (await db('leads').first()).budgetSpent;
  };

  await accept(true);
  const first = await spentBy();
  const nothingSince = await spentBy();
  await accept(false);
  const afterUpdate = await spentBy();
  await advanceSyncClock(db, 2);
  await accept(true);
  const afterAddition = await spentBy();

  expect([first, nothingSince, afterUpdate, afterAddition]).toEqual([0, 0, 0, 1]);
});

test('a look-up at a wrong publication settles no earlier request', async ({ db }) => {
  await storeLead(db, { email, outcomeUnknown: true });
  const { deps, scripted } = depsOf(db);
  scripted.play(['ok', 'wrong-key']);

  await processLead(deps, 'urgent', never);

  expect(await db('leads').first()).toMatchObject({
    beehiivStatus: 'pending',
    outcomeUnknown: true,
  });
});

test('if the key is refused for one lead alone, only that lead waits', async ({ db }) => {
  const { deps, scripted } = depsOf(db);
  const [unlucky, other] = [await storeLead(db, { email }), await storeLead(db)];
  scripted.play(['wrong-key']);

  await processLead(deps, 'urgent', never);
  await processLead(deps, 'urgent', never);

  expect(await db('sync_health').first()).toMatchObject({ pausedSince: null });
  expect(await db('leads').where({ id: unlucky.id }).first()).toMatchObject({
    beehiivStatus: 'pending',
  });
  expect(await db('lead_sync_attempts').where({ leadId: unlucky.id })).toMatchObject([
    { class: 'transient', message: 'answered 401, for this request only' },
  ]);
  expect(await db('leads').where({ id: other.id }).first()).toMatchObject({
    beehiivStatus: 'sent',
  });
});
