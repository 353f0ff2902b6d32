import { advanceSyncClock, buildOutcome, pauseSync, storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { renewAddress } from './address-lease.ts';
import { claimLead, isLeadDue } from './claim.ts';
import { recordOutcome } from './outcome.ts';

const request = (leadId: string) => ({ leadId, attemptId: randomUUID(), worker: 'test' });

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

  test('claims nothing until the reset after a 429', async ({ db }) => {
    const lead = await storeLead(db);
    await db('rate_limiter').update({ resumesAt: db.raw("sync_now() + interval '5 seconds'") });

    expect(await claimLead(db, request(lead.id))).toBeNull();
    await advanceSyncClock(db, 6);
    expect(await claimLead(db, request(lead.id))).not.toBeNull();
  });

  test('claims nothing while a wrong setting pauses the sync', async ({ db }) => {
    const lead = await storeLead(db);
    await pauseSync(db);

    expect(await isLeadDue(db, lead.id)).toBe(false);
    expect(await claimLead(db, request(lead.id))).toBeNull();
    expect(await claimLead(db, { ...request(lead.id), isProbe: true })).toBeNull();
  });

  test.for([
    ['an outage', { transientStreak: 5 }],
    ['a refusal pause', { permanentStreak: 20, pausedSince: new Date(), pauseReason: 'r', pauseSetting: 's' }],
  ] as const)('during %s, claims new leads but not those that wait for its end', async ([, health], { db }) => {
    const [fresh, waiting] = [await storeLead(db), await storeLead(db, { nextAttemptAt: null })];
    await db('sync_health').update(health);

    const due = [await isLeadDue(db, fresh.id), await isLeadDue(db, waiting.id)];
    const push = await claimLead(db, request(waiting.id));
    const probe = await claimLead(db, { ...request(waiting.id), isProbe: true });

    expect(due).toEqual([true, false]);
    expect([push, probe?.lead.id]).toEqual([null, waiting.id]);
    expect(await db('lead_sync_attempts')).toMatchObject([{ kind: 'probe' }]);
  });

  test('claims a lead that waited for an outage’s end, once it is over', async ({ db }) => {
    const waiting = await storeLead(db, { nextAttemptAt: null });

    expect(await claimLead(db, request(waiting.id))).not.toBeNull();
  });

  test.for([
    ['subscribed since', { beehiivSentAt: new Date(), subscriberStatus: 'active' }, true],
    ['found to be unsubscribed since', { subscriberStatus: 'inactive', subscriberCheckedAt: new Date() }, true],
    ['known to be unsubscribed before', { subscriberStatus: 'inactive', subscriberCheckedAt: new Date(0) }, false],
  ] as const)('says of a person %s whether their consent is outdated', async ([, known, isOutdated], { db }) => {
    const email = 'ada@reader.example';
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null, beehiivSentAt: new Date(0), ...known });
    const lead = await storeLead(db, { email, consentTimestamp: anHourAgo });

    expect(await claimLead(db, request(lead.id))).toMatchObject({ isConsentOutdated: isOutdated });
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

    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'failed' });
    expect(await db('lead_sync_attempts').first()).toMatchObject({ message: 'Beehiiv answered 422:  no' });
  });

  test('changes nothing for a run that has lost its lead', async ({ db }) => {
    const lead = await storeLead(db);
    const slow = await claimLead(db, request(lead.id));
    await advanceSyncClock(db, 46);
    const quick = await claimLead(db, request(lead.id));
    if (!slow || !quick) throw new Error('not claimed');

    expect(await renewAddress(db, slow.attemptId)).toBe(false);
    const isSlows = await recordOutcome(db, slow, buildOutcome(), { move: 'failed' });
    const isQuicks = await recordOutcome(db, quick, buildOutcome({ class: 'accepted', isOutcomeKnown: true }), {
      move: 'sent',
      subscriber: null,
    });

    expect([isSlows, isQuicks]).toEqual([false, true]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent', outcomeUnknown: false });
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
    expect(row).toMatchObject({ beehiivStatus: 'pending', syncAttempts: 1, outcomeUnknown: true });
  });
});
