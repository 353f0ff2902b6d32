import { advanceSyncClock, pauseSync, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/logger';
import { claimLead, isLeadDue } from '@site/platform/outbox/claim';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sweepOnce } from './sweep.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/** Sweeps once. Says for each queued lead whether a worker could run it at that moment. */
async function sweepWithFastestWorker(db: Database): Promise<boolean[]> {
  const mayRun: boolean[] = [];
  await sweepOnce({
    db,
    log,
    syncQueue: {
      async wake(leadIds) {
        for (const id of leadIds) mayRun.push(await isLeadDue(db, id));
      },
      async countWaiting() {
        return 0;
      },
    },
  });
  return mayRun;
}

const claim = (db: Database, leadId: string) =>
  claimLead(db, { leadId, attemptId: randomUUID(), worker: 'test', limiterGeneration: null });

describe('the probe during a pause', () => {
  test('may run as soon as it is queued, however fast a worker takes it', async ({ db }) => {
    await storeLead(db);
    await pauseSync(db);

    expect(await sweepWithFastestWorker(db)).toEqual([true]);
  });

  test('is queued again by the next sweep if its job was lost', async ({ db }) => {
    await storeLead(db);
    await pauseSync(db);
    await sweepWithFastestWorker(db);

    expect(await sweepWithFastestWorker(db)).toEqual([true]);
  });

  test('runs once, until the next probe is due', async ({ db }) => {
    const lead = await storeLead(db);
    await pauseSync(db);
    await sweepWithFastestWorker(db);
    expect(await claim(db, lead.id)).toMatchObject({ kind: 'probe' });
    await db('leads').update({ claim: null, claimedUntil: null });
    await db('address_leases').delete();

    expect(await isLeadDue(db, lead.id)).toBe(false);
    expect(await sweepWithFastestWorker(db)).toEqual([]);
    await advanceSyncClock(db, 16);
    expect(await sweepWithFastestWorker(db)).toEqual([true]);
  });
});
