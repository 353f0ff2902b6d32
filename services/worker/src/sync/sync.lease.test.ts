import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/logger';
import { isLeadDue } from '@site/platform/outbox/claim';
import { recordInHealth } from '../sync-health/sync-health.repository.ts';
import { randomUUID } from 'node:crypto';
import { afterEach, expect, vi } from 'vitest';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { createScriptedNewsletter } from '../testing/scripted-newsletter.ts';
import { processLead } from './sync.processor.ts';

const never = new AbortController().signal;
const email = 'ada@reader.example';

function depsOf(db: Database, rateLimiter: RateLimiter) {
  const scripted = createScriptedNewsletter();
  return {
    scripted,
    deps: {
      db,
      rateLimiter,
      newsletter: scripted.port,
      fieldCatalog: { keepKnown: (fields: Record<string, string>) => fields },
      delivery: {
        sendWelcomeEmail: true,
        doubleOptIn: 'not_set' as const,
        automations: { pre_buy: [], pre_sample: [] },
      },
      backoffBaseMs: 30_000,
      random: () => 0.5,
      newId: randomUUID,
      worker: 'test',
      log: createLogger({ service: 'test', level: 'silent' }),
    },
  };
}

afterEach(() => void vi.useRealTimers());

test('a run keeps its lead while it waits longer than a lease for its next slot', async ({ db }) => {
  const lead = await storeLead(db, { email, outcomeUnknown: true });
  const endOf = async (): Promise<Date> => (await db('leads').first()).claimedUntil;
  let slots = 0;
  const rateLimiter: RateLimiter = {
    async waitForSlot() {
      if (++slots < 2) return null;
      for (const seconds of [20, 40, 60]) {
        const before = await endOf();
        await advanceSyncClock(db, seconds);
        vi.advanceTimersByTime(15_000);
        await expect.poll(async () => (await endOf()) > before).toBe(true);
      }
      return null;
    },
  };
  const { deps, scripted } = depsOf(db, rateLimiter);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });

  await processLead(deps, lead.id, never);

  expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent' });
  expect(scripted.subscribers.has(email)).toBe(true);
});

test('stopping a worker releases a run that waits for a slot, so that another worker can claim the lead at once', async ({
  db,
}) => {
  const lead = await storeLead(db, { email, outcomeUnknown: true, beehiivResponse: '500' });
  const stopping = new AbortController();
  let slots = 0;
  const rateLimiter: RateLimiter = {
    waitForSlot(signal) {
      if (++slots < 2) return Promise.resolve(null);
      const released = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      stopping.abort();
      return released;
    },
  };
  const { deps } = depsOf(db, rateLimiter);

  await processLead(deps, lead.id, stopping.signal).catch(() => undefined);

  expect(await isLeadDue(db, lead.id)).toBe(true);
  expect(await db('leads').first()).toMatchObject({ outcomeUnknown: true, syncAttempts: 0, beehiivResponse: '500' });
  expect(await db('lead_sync_attempts')).toMatchObject([
    { class: 'unknown', message: expect.stringContaining('stopped') },
  ]);
});

test('an accepted update does not prove that additions work, so no lead fails because of it', async ({ db }) => {
  const anHour = 3_600_000;
  const lead = await storeLead(db, { email, syncAttempts: 8, roundStartedAt: new Date(Date.now() - 25 * anHour) });
  const { deps, scripted } = depsOf(db, { waitForSlot: () => Promise.resolve(null) });
  const accepted = { class: 'accepted', httpStatus: 200, message: '', response: '', requestId: null } as const;
  const accept = (hasAdded: boolean) => recordInHealth(db, { ...accepted, tookMs: 1, isOutcomeKnown: true, hasAdded });
  const tryOnce = async () => {
    await db('leads').update({ nextAttemptAt: db.raw('sync_now()') });
    scripted.play(['fault-before']);
    await processLead(deps, lead.id, never);
    return (await db('leads').first()).beehiivStatus;
  };

  await accept(false);
  const afterUpdate = await tryOnce();
  await accept(true);
  const afterAddition = await tryOnce();

  expect([afterUpdate, afterAddition]).toEqual(['pending', 'failed']);
});
