import { advanceSyncClock, buildOutcome, listClaims, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import type { Database } from '@site/platform/database/connect';
import { claimLead } from '@site/platform/outbox/claim';
import type { Decision } from '@site/platform/outbox/outcome';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';
import { readSyncHealth } from '@site/platform/health/sync-health';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { recordRun } from './sync.processor.ts';

const SENT: Decision = { move: 'sent', subscriber: null };
const WAIT: Decision = { move: 'wait', delayMs: null, spendsBudget: false };
const accepted = (given: Partial<AttemptOutcome> = {}) =>
  buildOutcome({ class: 'accepted', isOutcomeKnown: true, hasAdded: true, ...given });
const refused = (given: Partial<AttemptOutcome> = {}) =>
  buildOutcome({ class: 'permanent', isOutcomeKnown: true, hasAdded: true, ...given });

async function run(
  db: Database,
  outcome: AttemptOutcome,
  decision: Decision,
  isSignForAll = outcome.class === 'permanent',
) {
  const lead = await storeLead(db);
  const claimed = await claimLead(db, { attemptId: randomUUID(), worker: 'test' });
  if (!claimed) throw new Error('not claimed');
  await recordRun(db, claimed, outcome, decision, isSignForAll);
  return lead.id;
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await work();
}

describe('an outage', () => {
  test('an outage begins with the fifth failure in a row and ends with an acceptance', async ({
    db,
  }) => {
    const early = await run(db, buildOutcome(), { ...WAIT, delayMs: 60_000 }, true);
    await repeat(3, () => run(db, buildOutcome(), WAIT, true));
    await repeat(10, () => run(db, buildOutcome(), WAIT, false));
    const before = await readSyncHealth(db);
    const waiting = await run(db, buildOutcome(), WAIT, true);
    const dueDuring = await listClaims(db);

    await run(db, accepted(), SENT);

    expect(before).toMatchObject({ failureStreak: 4, nextProbeAt: null });
    expect(dueDuring).not.toContain(waiting);
    expect(await readSyncHealth(db)).toMatchObject({ failureStreak: 0, transientSince: null });
    // Leads that failed before the outage wait no longer than the others.
    expect(await listClaims(db)).toEqual(expect.arrayContaining([early, waiting]));
  });

  test.for([accepted(), accepted({ hasAdded: false }), refused()])(
    'failed leads are due once Beehiiv answers another lead $class',
    async (answer, { db }) => {
      const early = await run(db, buildOutcome(), { ...WAIT, delayMs: 60_000 }, true);

      await run(db, answer, SENT, false);

      expect(await listClaims(db)).toEqual([early]);
    },
  );
});

describe('a refusal pause', () => {
  test('a refusal pause begins with the twentieth refusal without an addition', async ({ db }) => {
    await repeat(19, () => run(db, refused(), { move: 'failed' }));
    await run(db, accepted({ hasAdded: false }), SENT);
    const before = await readSyncHealth(db);
    await run(db, refused({ setting: 'BEEHIIV_AUTOMATIONS_PRE_BUY' }), { move: 'failed' });
    const paused = await readSyncHealth(db);
    await run(db, accepted({ hasAdded: false }), SENT);
    const stillPaused = await readSyncHealth(db);

    await run(db, accepted(), SENT);

    expect(before).toMatchObject({ pausedSince: null, refusalStreak: 19 });
    expect(paused).toMatchObject({
      refusalStreak: 20,
      pauseSetting: 'BEEHIIV_AUTOMATIONS_PRE_BUY',
    });
    expect(paused.refusalsFrom).toEqual(before.permanentSince);
    expect(stillPaused.pausedSince).toEqual(paused.pausedSince);
    expect(await readSyncHealth(db)).toMatchObject({ pausedSince: null, refusalStreak: 0 });
    expect((await readSyncHealth(db)).refusalsTo).toBeInstanceOf(Date);
  });

  test('a refusal pause has no email in its reason', async ({ db }) => {
    await db('sync_health').update({ refusalStreak: 19, permanentSince: new Date() });
    const message = 'Beehiiv answered 422: ada@reader.example (Ada%40Reader.example) is blocked';

    await run(db, refused({ message }), { move: 'failed' });

    const { pauseReason } = await readSyncHealth(db);
    expect(pauseReason).toMatch(
      /^20 refusals in a row\. The last: Beehiiv answered 422: .* is blocked$/,
    );
    expect(pauseReason?.toLowerCase()).not.toContain('reader.example');
  });
});

describe('a configuration pause', () => {
  const wrongKey = buildOutcome({
    class: 'configuration',
    setting: 'BEEHIIV_API_KEY',
    isOutcomeKnown: true,
  });

  test('a configuration pause keeps its start and next probe', async ({ db }) => {
    await storeLead(db);
    const claimed = await claimLead(db, { attemptId: randomUUID(), worker: 'test' });
    await run(db, wrongKey, { move: 'wait', delayMs: 0, spendsBudget: false });
    const first = await readSyncHealth(db);
    await advanceSyncClock(db, 5);

    await recordRun(
      db,
      claimed!,
      wrongKey,
      { move: 'wait', delayMs: 0, spendsBudget: false },
      false,
    );

    expect(await readSyncHealth(db)).toEqual(first);
  });
});
