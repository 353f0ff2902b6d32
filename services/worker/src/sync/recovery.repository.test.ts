import { advanceSyncClock, pauseSync, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { leaseAddress } from '@site/platform/outbox/address-lease';
import { claimLead, isLeadDue } from '@site/platform/outbox/claim';
import { chooseProbe } from './recovery.repository.ts';

const claim = (db: Database, leadId: string) =>
  claimLead(db, { leadId, attemptId: randomUUID(), worker: 'test', limiterGeneration: null });

describe('chooseProbe', () => {
  test('skips leads whose address is leased or being erased', async ({ db }) => {
    const erased = await storeLead(db, { nextAttemptAt: new Date(1_000) });
    const served = await storeLead(db, { nextAttemptAt: new Date(2_000) });
    const free = await storeLead(db, { nextAttemptAt: new Date(3_000) });
    await db('erasures').insert({
      id: randomUUID(),
      emailNormalised: erased.emailNormalised,
      requestedBy: 'j.holt',
      erased: '{}',
    });
    await leaseAddress(db, served.emailNormalised, randomUUID());
    await pauseSync(db);

    const probe = await chooseProbe(db);

    expect(probe).toBe(free.id);
    expect(await claim(db, free.id)).toMatchObject({ kind: 'probe' });
  });

  test('chooses a lead that is not due if there is no other, so that a corrected key is noticed soon', async ({
    db,
  }) => {
    const lead = await storeLead(db, { syncAttempts: 9, nextAttemptAt: new Date(Date.now() + 3_600_000) });
    await pauseSync(db);

    expect(await chooseProbe(db)).toBe(lead.id);
    expect(await isLeadDue(db, lead.id)).toBe(true);
  });

  test('keeps its choice until the run starts, and chooses another when the next probe is due', async ({ db }) => {
    const older = await storeLead(db, { nextAttemptAt: new Date(1_000) });
    const newer = await storeLead(db, { nextAttemptAt: new Date(2_000) });
    await pauseSync(db);

    expect([await chooseProbe(db), await chooseProbe(db)]).toEqual([older.id, older.id]);
    expect(await claim(db, older.id)).toMatchObject({ kind: 'probe' });
    expect(await chooseProbe(db)).toBeNull();

    await advanceSyncClock(db, 16);
    expect(await chooseProbe(db)).toBe(newer.id);
  });

  test('chooses nothing while the sync is not paused', async ({ db }) => {
    await storeLead(db);

    expect(await chooseProbe(db)).toBeNull();
  });
});
