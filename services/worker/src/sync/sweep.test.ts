import { advanceSyncClock, storeLead, buildOutcome, pauseSync } from '@site/testing/builders';
import { test } from '@site/sandbox/testing/sandbox.fixture';
import { createLogger } from '@site/platform/process/logger';
import { describe, expect } from 'vitest';
import { probe } from './probe.ts';
import { createSweeper } from './sweep.ts';
import type { Database } from '@site/platform/database/connect';
import { claimLead } from '@site/platform/outbox/claim';
import { recordOutcome } from '@site/platform/outbox/outcome';
import { readSyncHealth } from '@site/platform/health/sync-health';
import { randomUUID } from 'node:crypto';
import { connectTestNewsletter } from '../testing/worker.fixture.ts';
import type { WorkerOptions } from '../testing/worker.fixture.ts';

test('a lead that falls due during a sweep is queued at once', async ({ db }) => {
  await storeLead(db, { nextAttemptAt: new Date(Date.now() + 1_000) });
  const counted: number[] = [];
  const syncQueue = {
    async topUp(due: number) {
      counted.push(due);
      if (counted.length === 1) await advanceSyncClock(db, 2);
      return due;
    },
  };
  const stop = new AbortController();
  const log = createLogger({ service: 'worker', level: 'silent' });

  const sweeper = createSweeper({ db, syncQueue, log, probe: () => Promise.resolve() });
  const running = sweeper.run(stop.signal);

  await expect.poll(() => counted, { timeout: 4_000, interval: 20 }).toContain(1);
  stop.abort();
  await running;
});

const never = new AbortController().signal;

/** Sends the probe if it is due. Returns the lead that was tried. */
async function probeOnce(
  db: Database,
  options: Pick<WorkerOptions, 'sandbox' | 'apiKey'>,
): Promise<string | undefined> {
  let tried: string | undefined;
  const runProbe = async () => {
    const run = await claimLead(db, { attemptId: randomUUID(), worker: 'test', choice: 'probe' });
    if (!run) return null;
    tried = run.lead.id;
    await recordOutcome(db, run, buildOutcome(), {
      move: 'wait',
      delayMs: null,
      spendsBudget: false,
    });
    return {};
  };
  await probe({ db, ...connectTestNewsletter(options, db), runProbe }, never);
  return tried;
}

const startOutage = (db: Database) =>
  db('sync_health').update({ failureStreak: 5, nextProbeAt: new Date(0) });

describe('the probe of a pause for a wrong key', () => {
  test('the probe for a wrong key needs no lead and ends the pause', async ({ db, sandbox }) => {
    await pauseSync(db);
    await probeOnce(db, { sandbox, apiKey: 'wrong' });
    const before = await readSyncHealth(db);

    await probeOnce(db, { sandbox });
    const early = await readSyncHealth(db);
    await advanceSyncClock(db, 16);
    await probeOnce(db, { sandbox });

    expect([before.pauseSetting, early.pauseSetting]).toEqual([
      'BEEHIIV_API_KEY',
      'BEEHIIV_API_KEY',
    ]);
    expect(await readSyncHealth(db)).toMatchObject({ pausedSince: null, pauseSetting: null });
    expect(sandbox.beehiiv.requests().map(({ method, status }) => [method, status])).toEqual([
      ['GET', 401],
      ['GET', 200],
    ]);
  });

  test('the probe for a wrong key is sent by one of several workers', async ({ db, sandbox }) => {
    await pauseSync(db);

    await Promise.all(Array.from({ length: 4 }, () => probeOnce(db, { sandbox, apiKey: 'wrong' })));

    expect(sandbox.beehiiv.requests()).toHaveLength(1);
  });

  test('the probe for a wrong key names the next wrong setting once the first is right', async ({
    db,
    sandbox,
  }) => {
    await pauseSync(db);
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 404, times: 1 });

    await probeOnce(db, { sandbox });

    expect(await readSyncHealth(db)).toMatchObject({ pauseSetting: 'BEEHIIV_PUBLICATION_ID' });
  });
});

describe('the probe of an outage', () => {
  test('the probe of an outage tries each waiting lead in turn, due or not', async ({
    db,
    sandbox,
  }) => {
    const [older, newer] = [
      await storeLead(db, { nextAttemptAt: new Date(Date.now() + 3_600_000) }),
      await storeLead(db, { nextAttemptAt: null }),
    ];
    await startOutage(db);

    const tried = [];
    for (let turn = 0; turn < 3; turn++) {
      tried.push(await probeOnce(db, { sandbox }));
      await advanceSyncClock(db, 16 * (turn + 1));
    }

    expect(tried).toEqual([older.id, newer.id, older.id]);
  });
});

test('the probe of a refusal pause first tries leads that were not refused', async ({
  db,
  sandbox,
}) => {
  await storeLead(db, { nextAttemptAt: null, beehiivReason: 'email-invalid' });
  const good = await storeLead(db, { nextAttemptAt: null, beehiivReason: 'server-error' });
  await db('sync_health').update({ refusalStreak: 20, nextProbeAt: new Date(0) });

  expect(await probeOnce(db, { sandbox })).toBe(good.id);
});

test('an outage ends even if no lead waits', async ({ db, sandbox }) => {
  await startOutage(db);

  await probeOnce(db, { sandbox });

  expect(await readSyncHealth(db)).toMatchObject({ failureStreak: 0 });
});
