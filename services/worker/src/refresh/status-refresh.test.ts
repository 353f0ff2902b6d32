import { advanceSyncClock, storeLead } from '@site/testing/builders';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { refreshIntervalMs } from './refresh-interval.ts';
import { refreshDue } from './status-refresh.ts';

const never = new AbortController().signal;
const settled = { timeout: 10_000, interval: 20 };
const DAY_MS = 86_400_000;

describe('refreshDue', () => {
  test('stores the new status on all leads of the person', async ({ db, sandbox, start }) => {
    const first = await storeLead(db, { email: 'ada@reader.example' });
    const worker = start();
    await expect
      .poll(async () => (await db('leads').where({ id: first.id }).first()).beehiivStatus, settled)
      .toBe('sent');
    const second = await storeLead(db, { email: 'ada@reader.example', formType: 'pre_sample' });
    await worker.syncQueue.wake([second.id]);
    await expect.poll(async () => (await db('leads').where({ beehiivStatus: 'sent' })).length, settled).toBe(2);
    await fetch(`${sandbox.url}/_control/beehiiv/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@reader.example' }),
    });
    const deps = { ...connectTestNewsletter({ sandbox }, db), db };

    expect(await refreshDue(deps, never)).toBe(0);
    await advanceSyncClock(db, 6 * 60);
    expect(await refreshDue(deps, never)).toBe(1);

    const now = await db('leads').select('subscriberStatus', 'beehiivStatus');
    expect(now).toEqual(
      [0, 1].map(() => ({
        subscriberStatus: sandbox.beehiiv.find('ada@reader.example')?.status,
        beehiivStatus: 'sent',
      })),
    );
  });

  test('does nothing while the sync is paused', async ({ db, sandbox }) => {
    await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null, subscriberCheckDueAt: new Date(0) });
    await db('sync_health').update({
      pausedSince: new Date(),
      pauseReason: 'x',
      pauseSetting: 'x',
      nextProbeAt: new Date(),
    });

    expect(await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never)).toBe(0);
  });

  test.for([401, 500])('stops after one subscriber if the newsletter answers %i', async (status, { db, sandbox }) => {
    for (let n = 0; n < 3; n++) {
      await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null, subscriberCheckDueAt: new Date(0) });
    }
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status });

    await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never);

    expect(sandbox.beehiiv.requests()).toHaveLength(1);
  });

  test('leaves an absent subscriber to the comparison', async ({ db, sandbox }) => {
    await storeLead(db, {
      beehiivStatus: 'sent',
      nextAttemptAt: null,
      subscriberStatus: 'active',
      subscriberCheckDueAt: new Date(0),
    });

    await refreshDue({ ...connectTestNewsletter({ sandbox }, db), db }, never);

    const row = await db('leads').first();
    expect(row.subscriberStatus).toBe('active');
    expect(row.subscriberCheckDueAt.getTime()).toBeGreaterThan(Date.now());
  });
});

describe('refreshIntervalMs', () => {
  test('grows with the lead’s age, within bounds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('validating', 'pending', 'active', 'inactive', null),
        fc.nat(400 * DAY_MS),
        (status, age) => {
          const interval = refreshIntervalMs(status, age);
          const isUnsettled = status === 'validating' || status === 'pending';
          expect(interval).toBeGreaterThanOrEqual(isUnsettled ? 300_000 : DAY_MS);
          expect(interval).toBeLessThanOrEqual(isUnsettled ? 7 * DAY_MS : 30 * DAY_MS);
          expect(refreshIntervalMs(status, age + DAY_MS)).toBeGreaterThanOrEqual(interval);
        },
      ),
    );
  });
});
