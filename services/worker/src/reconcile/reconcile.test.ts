import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import {
  addListedSubscribers,
  startReconcile,
  findDifferences,
  claimNightlyReconcile,
} from './reconcile.repository.ts';
import type { Sandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { reconcile } from './reconcile.ts';
import { repairLead } from './repair.ts';

const never = new AbortController().signal;
const anHourAgo = () => new Date(Date.now() - 3_600_000);
const sent = (email: string) => ({
  email,
  beehiivStatus: 'sent' as const,
  nextAttemptAt: null,
  beehiivSentAt: anHourAgo(),
  subscriberStatus: 'active',
});

const depsFor = (db: Database, sandbox: Sandbox) => ({
  ...connectTestNewsletter({ sandbox }, db),
  db,
  newId: randomUUID,
  backoffBaseMs: 20,
  random: Math.random,
  delivery: { sendWelcomeEmail: false, doubleOptIn: 'not_set' as const, automations: { pre_buy: [], pre_sample: [] } },
  worker: 'test',
});

const add = (deps: ReturnType<typeof depsFor>, email: string) =>
  deps.newsletter.add({
    email,
    fields: {},
    utm: {},
    reactivate: false,
    sendWelcomeEmail: false,
    doubleOptIn: 'not_set',
    automationIds: [],
  });

describe('reconcile', () => {
  test('finds subscribers who are missing, invalid, unsubscribed or unknown', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    const [well, missing, invalid, left] = [
      await storeLead(db, sent('Well@reader.example')),
      await storeLead(db, sent('missing@reader.example')),
      await storeLead(db, sent('a+invalid@reader.example')),
      await storeLead(db, sent('a+inactive@reader.example')),
    ];
    await storeLead(db, { email: 'waiting@reader.example' });
    for (const email of [
      'well@reader.example',
      'a+invalid@reader.example',
      'a+inactive@reader.example',
      'stranger@reader.example',
    ])
      await add(deps, email);

    const result = await reconcile(deps, never);

    expect(result).toEqual({
      kind: 'compared',
      checked: 4,
      missing: [missing.id],
      invalid: [invalid.id],
      left: [left.id],
      unknown: 1,
    });
    expect(await db('leads').where({ id: left.id }).first()).toMatchObject({
      subscriberStatus: 'inactive',
      beehiivStatus: 'sent',
    });
    expect((await db('sync_health').first()).reconcileReport).toEqual({
      checked: 4,
      missing: 1,
      invalid: 1,
      left: 1,
      unknown: 1,
    });
    expect(well.id).toBeDefined();
  });

  test('reads every page, and reports progress', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    for (let n = 0; n < 120; n++) await add(deps, `many${n}@reader.example`);
    const heard: number[] = [];

    const result = await reconcile(deps, never, ({ read }) => heard.push(read));

    expect(heard).toEqual([100, 120]);
    expect(result).toMatchObject({ kind: 'compared', unknown: 120 });
  });

  test('retries after a transient failure, and says if it could not check', async ({ db, sandbox }) => {
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 502, times: 2 });
    expect(await reconcile(depsFor(db, sandbox), never)).toMatchObject({ kind: 'compared' });

    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 401 });
    expect(await reconcile(depsFor(db, sandbox), never)).toEqual({
      kind: 'could-not-check',
      message: expect.stringContaining('401'),
    });
  });

  test('keeps its list while another comparison starts', async ({ db }) => {
    await storeLead(db, sent('well@reader.example'));
    const startedAt = await startReconcile(db);
    const run = randomUUID();
    await addListedSubscribers(db, run, [{ email: 'well@reader.example', id: 'sub_1', status: 'active' }]);

    await startReconcile(db);

    expect(await findDifferences(db, run, startedAt)).toMatchObject({ checked: 1, missing: [] });
  });

  test('accepts a page with one address twice', async ({ db }) => {
    const run = randomUUID();

    await addListedSubscribers(db, run, [
      { email: 'Ada@reader.example', id: 'sub_1', status: 'active' },
      { email: 'ada@reader.example', id: 'sub_2', status: 'active' },
    ]);

    expect(await db('reconcile_subscribers').where({ run })).toHaveLength(1);
  });

  test('deletes its list, however it ends', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    for (let n = 0; n < 101; n++) await add(deps, `many${n}@reader.example`);
    let pages = 0;
    const { newsletter } = deps;
    const listSubscribers = (cursor: string | null) =>
      pages++ === 0 ? newsletter.listSubscribers(cursor) : Promise.reject(new Error('stopped'));

    await expect(reconcile({ ...deps, newsletter: { ...newsletter, listSubscribers } }, never)).rejects.toThrow(
      'stopped',
    );

    expect(await db('reconcile_subscribers')).toEqual([]);
  });

  test('says that it could not check if the list repeats a page', async ({ db, sandbox }) => {
    const deps = depsFor(db, sandbox);
    const { newsletter } = deps;
    const listSubscribers = async () => {
      const answer = await newsletter.listSubscribers(null);
      return { ...answer, page: { subscribers: [], nextCursor: 'the same' } };
    };

    expect(await reconcile({ ...deps, newsletter: { ...newsletter, listSubscribers } }, never)).toMatchObject({
      kind: 'could-not-check',
    });
  });

  test('compares leads that were imported as sent', async ({ db, sandbox }) => {
    const lead = await storeLead(db, {
      ...sent('imported@reader.example'),
      beehiivSentAt: null,
      submittedAt: anHourAgo(),
    });

    expect(await reconcile(depsFor(db, sandbox), never)).toMatchObject({ checked: 1, missing: [lead.id] });
  });

  test('ignores a lead that was sent while the list was read', async ({ db, sandbox }) => {
    await storeLead(db, { ...sent('new@reader.example'), beehiivSentAt: new Date(Date.now() + 60_000) });

    expect(await reconcile(depsFor(db, sandbox), never)).toMatchObject({ checked: 0, missing: [] });
  });
});

describe('repairLead', () => {
  test('adds the subscriber again, with an attempt of its own, and leaves the lead sent', async ({ db, sandbox }) => {
    const lead = await storeLead(db, sent('missing@reader.example'));
    const deps = depsFor(db, sandbox);

    expect(await repairLead(deps, lead.id, never)).toBe(true);

    expect(sandbox.beehiiv.find('missing@reader.example')).toBeDefined();
    expect(await db('lead_sync_attempts')).toMatchObject([{ kind: 'repair', class: 'accepted' }]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent', syncAttempts: 0 });
    expect(await db('address_leases')).toEqual([]);
    expect(await reconcile(deps, never)).toMatchObject({ missing: [] });
  });

  test('adds nobody who has reappeared since the list was read', async ({ db, sandbox }) => {
    const lead = await storeLead(db, sent('back@reader.example'));
    const deps = depsFor(db, sandbox);
    await add(deps, 'back@reader.example');

    expect(await repairLead(deps, lead.id, never)).toBe(true);

    expect(sandbox.beehiiv.requests().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('does nothing while the sync is paused', async ({ db, sandbox }) => {
    const lead = await storeLead(db, sent('missing@reader.example'));
    await db('sync_health').update({
      pausedSince: new Date(),
      pauseReason: 'x',
      pauseSetting: 'x',
      nextProbeAt: new Date(),
    });

    expect(await repairLead(depsFor(db, sandbox), lead.id, never)).toBe(false);
    expect(sandbox.beehiiv.requests()).toEqual([]);
  });

  test('skips a lead that is not sent, and an address that is leased', async ({ db, sandbox }) => {
    const pending = await storeLead(db);
    const busy = await storeLead(db, sent('busy@reader.example'));
    await db('address_leases').insert({
      emailNormalised: 'busy@reader.example',
      leasedBy: randomUUID(),
      leasedUntil: new Date(Date.now() + 60_000),
    });

    expect(await repairLead(depsFor(db, sandbox), pending.id, never)).toBe(false);
    expect(await repairLead(depsFor(db, sandbox), busy.id, never)).toBe(false);
    expect(sandbox.beehiiv.requests()).toEqual([]);
  });
});

describe('the nightly comparison', () => {
  test('runs once a night, in one process', async ({ db }) => {
    expect(await claimNightlyReconcile(db)).toBe(false);
    await db('sync_health').update({ reconciledAt: new Date(Date.now() - 25 * 3_600_000) });

    const taken = await Promise.all([claimNightlyReconcile(db), claimNightlyReconcile(db), claimNightlyReconcile(db)]);

    expect(taken.filter(Boolean)).toHaveLength(1);
  });
});
