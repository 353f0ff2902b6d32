import { buildOutcome, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { claimLead, isLeadDue } from '@site/platform/outbox/claim';
import { readSyncHealth } from '@site/platform/sync-health';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { recordRun } from './record-run.ts';
import { makeDueAfterOutage } from './recovery.repository.ts';
import { readSituation } from './situation.repository.ts';

const request = (leadId: string) => ({ leadId, attemptId: randomUUID(), worker: 'test', limiterGeneration: null });

describe('recordRun', () => {
  test('pauses the sync if a setting is wrong, and resumes it on an acceptance', async ({ db }) => {
    const lead = await storeLead(db);
    const run = await claimLead(db, request(lead.id));
    if (!run) throw new Error('not claimed');
    await recordRun(
      db,
      run,
      buildOutcome({ class: 'configuration', setting: 'BEEHIIV_API_KEY', isOutcomeKnown: true }),
      { move: 'wait', delayMs: 0, spendsBudget: false },
    );
    expect(await db('sync_health').first()).toMatchObject({ pauseSetting: 'BEEHIIV_API_KEY' });

    await db('sync_health').update({ probeLeadId: lead.id });
    const probe = await claimLead(db, request(lead.id));
    if (!probe) throw new Error('not claimed');
    await recordRun(db, probe, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: null,
    });

    expect(await db('sync_health').first()).toMatchObject({ pausedSince: null, probeLeadId: null });
  });

  test('ends an outage on an acceptance, and gives waiting leads a fresh budget', async ({ db }) => {
    const long = { syncAttempts: 7, roundStartedAt: new Date(Date.now() - 90_000_000) };
    const [waiting, other] = [
      await storeLead(db, { ...long, nextAttemptAt: new Date(Date.now() + 3_600_000) }),
      await storeLead(db, { ...long, nextAttemptAt: new Date(Date.now() + 7_200_000) }),
    ];
    const underWay = await storeLead(db, long);
    const held = await claimLead(db, request(underWay.id));
    const lead = await storeLead(db);
    await db('sync_health').update({ transientStreak: 5 });
    const run = await claimLead(db, request(lead.id));
    if (!run || !held) throw new Error('not claimed');
    expect(await readSituation(db, held)).toMatchObject({ attemptsSpent: 7 });

    await recordRun(db, run, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: null,
    });
    const batches = [await makeDueAfterOutage(db, 1), await makeDueAfterOutage(db, 1)];

    expect(batches).toEqual([true, false]);
    for (const { id } of [waiting, other]) {
      expect(await isLeadDue(db, id)).toBe(true);
      expect((await claimLead(db, request(id)))?.lead.syncAttempts).toBe(0);
    }
    const { roundAgeMs, ...situation } = await readSituation(db, held);
    expect(situation).toMatchObject({ attemptsSpent: 0, hasAcceptedSince: false });
    expect(roundAgeMs).toBeLessThan(60_000);
  });

  test('removes addresses from the reason of a pause, which goes to the alert webhook', async ({ db }) => {
    await db('sync_health').update({ permanentStreak: 19, permanentSince: new Date() });
    const lead = await storeLead(db, { email: 'ada@reader.example' });
    const run = await claimLead(db, request(lead.id));
    if (!run) throw new Error('not claimed');

    const message = 'Beehiiv answered 422: ada@reader.example (Ada%40Reader.example) is blocked';
    await recordRun(db, run, buildOutcome({ class: 'permanent', message, isOutcomeKnown: true }), {
      move: 'failed',
    });

    const { pauseReason } = await readSyncHealth(db);
    expect(pauseReason).toMatch(/^20 refusals in a row\. The last: Beehiiv answered 422: .* is blocked$/);
    expect(pauseReason?.toLowerCase()).not.toContain('reader.example');
  });
});
