import { advanceSyncClock, buildOutcome, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { claimLead, isLeadDue, renewClaim } from './claim.ts';
import { recordOutcome } from './outcome.ts';

const request = (leadId: string) => ({ leadId, attemptId: randomUUID(), worker: 'test', limiterGeneration: null });

describe('claimLead', () => {
  test('gives a due lead to exactly one of many callers', async ({ db }) => {
    const lead = await storeLead(db);

    const runs = await Promise.all(Array.from({ length: 8 }, () => claimLead(db, request(lead.id))));

    expect(runs.filter(Boolean)).toHaveLength(1);
    expect(await db('lead_sync_attempts').where({ leadId: lead.id })).toHaveLength(1);
  });

  test('opens the attempt', async ({ db }) => {
    const lead = await storeLead(db);

    const run = await claimLead(db, request(lead.id));

    expect(await db('lead_sync_attempts').first()).toMatchObject({
      id: run?.attemptId,
      class: null,
      round: 1,
      number: 1,
    });
    expect(await db('leads').first()).toMatchObject({ claim: run?.attemptId, outcomeUnknown: true });
  });

  test.for([
    ['sent', { beehiivStatus: 'sent' as const, nextAttemptAt: null }],
    ['failed', { beehiivStatus: 'failed' as const, nextAttemptAt: null }],
    ['not yet due', { nextAttemptAt: new Date(Date.now() + 60_000) }],
  ] as const)('does not claim a lead that is %s', async ([, given], { db }) => {
    const lead = await storeLead(db, given);

    expect(await isLeadDue(db, lead.id)).toBe(false);
    expect(await claimLead(db, request(lead.id))).toBeNull();
    expect(await db('address_leases')).toEqual([]);
  });

  test('lets one run at a time serve an address', async ({ db }) => {
    const first = await storeLead(db, { email: 'Ada@reader.example' });
    const second = await storeLead(db, { email: 'ada@Reader.example' });
    const run = await claimLead(db, request(first.id));
    if (!run) throw new Error('the first was not claimed');

    expect(await claimLead(db, request(second.id))).toBeNull();
    await recordOutcome(db, run, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: { id: 'sub_1', status: 'active' },
    });
    const later = await claimLead(db, request(second.id));

    expect(later?.mayBeThereAlready).toBe(true);
  });

  test('lets the next run claim a lead after its lease, with a look-up first', async ({ db }) => {
    const lead = await storeLead(db);
    const dead = await claimLead(db, request(lead.id));
    expect(await claimLead(db, request(lead.id))).toBeNull();

    await advanceSyncClock(db, 46);
    const next = await claimLead(db, request(lead.id));

    expect(dead?.mayBeThereAlready).toBe(false);
    expect(next?.mayBeThereAlready).toBe(true);
    expect(await db('lead_sync_attempts').where({ id: dead?.attemptId }).first()).toMatchObject({ class: 'unknown' });
  });

  test('knows a person whose lead was imported as sent', async ({ db }) => {
    await storeLead(db, { email: 'ada@reader.example', beehiivStatus: 'sent', nextAttemptAt: null });
    const lead = await storeLead(db, { email: 'ada@reader.example' });

    expect(await claimLead(db, request(lead.id))).toMatchObject({ mayBeThereAlready: true });
  });

  test('does not count a lead as due while another run serves its address', async ({ db }) => {
    const first = await storeLead(db, { email: 'ada@reader.example' });
    const second = await storeLead(db, { email: 'ada@reader.example' });
    const run = await claimLead(db, request(first.id));
    const during = await isLeadDue(db, second.id);
    await advanceSyncClock(db, 46);

    expect([run === null, during, await isLeadDue(db, second.id)]).toEqual([false, false, true]);
  });

  test('refuses a void slot', async ({ db }) => {
    const lead = await storeLead(db);
    await db('rate_limiter').update({ generation: 7 });

    expect(await claimLead(db, { ...request(lead.id), limiterGeneration: 6 })).toBeNull();
    expect(await claimLead(db, { ...request(lead.id), limiterGeneration: 7 })).not.toBeNull();
  });

  test('claims only the probe during a pause', async ({ db }) => {
    const [probe, other] = [await storeLead(db), await storeLead(db)];
    const now = new Date();
    await db('sync_health').update({
      pausedSince: now,
      pauseReason: '401',
      pauseSetting: 'BEEHIIV_API_KEY',
      nextProbeAt: now,
      probeLeadId: probe.id,
    });

    expect(await claimLead(db, request(other.id))).toBeNull();
    expect(await claimLead(db, request(probe.id))).toMatchObject({ kind: 'probe' });
  });
});

describe('recordOutcome', () => {
  test('stores an answer with characters that no text column accepts', async ({ db }) => {
    const lead = await storeLead(db);
    const run = await claimLead(db, request(lead.id));
    if (!run) throw new Error('not claimed');

    await recordOutcome(
      db,
      run,
      buildOutcome({ class: 'permanent', message: 'Beehiiv answered 422: \0 no', isOutcomeKnown: true }),
      {
        move: 'failed',
      },
    );

    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'failed', claim: null });
    expect(await db('lead_sync_attempts').first()).toMatchObject({ message: 'Beehiiv answered 422:  no' });
  });

  test('changes nothing for a run that has lost its lead', async ({ db }) => {
    const lead = await storeLead(db);
    const slow = await claimLead(db, request(lead.id));
    await advanceSyncClock(db, 46);
    const quick = await claimLead(db, request(lead.id));
    if (!slow || !quick) throw new Error('not claimed');

    expect(await renewClaim(db, slow)).toBe(false);
    const isSlows = await recordOutcome(db, slow, buildOutcome(), { move: 'failed' });
    const isQuicks = await recordOutcome(db, quick, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: null,
    });

    expect([isSlows, isQuicks]).toEqual([false, true]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent', claim: null, outcomeUnknown: false });
  });

  test('cuts the answer to 4 KiB, between characters', async ({ db }) => {
    const lead = await storeLead(db);
    const run = await claimLead(db, request(lead.id));
    if (!run) throw new Error('not claimed');

    await recordOutcome(db, run, buildOutcome({ response: `\0x${'ß'.repeat(5_000)}` }), {
      move: 'wait',
      delayMs: 1_000,
      spendsBudget: true,
    });

    const row = await db('leads').first();
    expect(row.beehiivResponse).toBe(`x${'ß'.repeat(2_047)}`);
    expect(row).toMatchObject({ beehiivStatus: 'pending', syncAttempts: 1, claim: null, outcomeUnknown: true });
  });
});
