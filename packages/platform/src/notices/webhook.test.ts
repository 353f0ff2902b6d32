import { storeSubscription } from '@site/testing/money-builders';
import { task, recordHeartbeat } from '../database/task.ts';
import { advanceSyncClock, storeAttempt, storeLead, storePerson } from '@site/testing/builders';
import { startHook } from '@site/testing/alert-hook';
import { createLogger } from '../process/logger.ts';
import { test as base } from '@site/testing/fixtures';
import type { Database } from '../database/connect.ts';
import type { Row } from '../database/tables.ts';
import { toJudged } from '@site/schema/beehiiv-answers';
import { describe, expect } from 'vitest';
import { recordStripeOutage, tellWebhook } from './webhook.ts';

const log = createLogger({ service: 'test', level: 'silent' });

const test = base.extend('hook', async ({ onTestFinished }) => {
  const hook = await startHook();
  onTestFinished(() => hook.close());
  return hook;
});

const pause = {
  pausedSince: new Date(),
  pauseReason: 'Beehiiv answered 401',
  pauseSetting: 'BEEHIIV_API_KEY',
  nextProbeAt: new Date(),
};
const noPause = { pausedSince: null, pauseReason: null, pauseSetting: null, nextProbeAt: null };

describe('tellWebhook', () => {
  /** Reads the alerts while a worker runs and has just claimed a lead. */
  const look = async (db: Database, hook: { url: string }, isProduction = false) => {
    await recordHeartbeat(db);
    await task(db, 'worker').update({ since: db.raw('sync_now()') });
    await tellWebhook({ db, log, webhookUrl: hook.url, maxPendingMs: 15 * 60_000, isProduction });
  };

  test('an alert reports a pause once, with its setting, and its end once', async ({
    db,
    hook,
  }) => {
    await look(db, hook);
    await db('sync_health').update(pause);
    await look(db, hook);
    await look(db, hook);
    await db('sync_health').update(noPause);
    await look(db, hook);
    await look(db, hook);

    expect(hook.told).toMatchObject([
      { event: 'paused', text: expect.stringContaining('BEEHIIV_API_KEY') },
      { event: 'recovered', of: 'paused' },
    ]);
  });

  test.for([
    ['paused', pause, noPause],
    [
      'outage',
      { failureStreak: 5, transientSince: new Date() },
      { failureStreak: 0, transientSince: null, lastAddedAt: new Date(Date.now() + 3_600_000) },
    ],
  ] as const)(
    'an alert of kind %s that ends is an outage on record, with how many waited',
    async ([kind, failure, end], { db, hook }) => {
      const attempt: { class: Row<'lead_sync_attempts'>['class'] } = { class: 'accepted' };
      const store = async (...startedAt: Date[]) => {
        const { id: leadId } = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
        for (const [index, at] of startedAt.entries())
          await storeAttempt(db, { ...attempt, leadId, number: index + 1, startedAt: at });
      };
      await store(new Date(Date.now() - 60_000));
      await db('sync_health').update(failure);
      await look(db, hook);
      expect(await db('outages')).toEqual([]);

      const works = new Date(Date.now() + 1_000);
      // Requests under way are still refused before the pause ends.
      if (kind === 'paused') {
        attempt.class = 'permanent';
        await store(new Date());
        attempt.class = 'accepted';
      }
      await store(works, new Date(Date.now() + 2_000));
      attempt.class = 'permanent';
      await store(new Date(Date.now() + 3_000));
      await storeLead(db);
      await db('sync_health').update(end);
      await look(db, hook);

      expect(await db('outages')).toMatchObject([{ kind, waited: 3, until: works }]);
      expect(await db('notices')).toEqual([]);
    },
  );

  test('a lead sent after a worker was last seen does not end its absence', async ({
    db,
    hook,
  }) => {
    await recordHeartbeat(db);
    const { seenAt } = (await task(db, 'worker').first('seenAt'))!;
    await advanceSyncClock(db, 100);
    await tellWebhook({
      db,
      log,
      webhookUrl: hook.url,
      maxPendingMs: 15 * 60_000,
      isProduction: false,
    });
    const [before, after] = [5, 80].map((seconds) => new Date(seenAt!.getTime() + seconds * 1_000));
    for (const startedAt of [before!, after!]) {
      const { id: leadId } = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });
      await storeAttempt(db, { leadId, class: 'accepted', startedAt });
    }

    await look(db, hook);

    expect(await db('outages')).toMatchObject([
      { kind: 'no-worker', since: seenAt, until: after, waited: 1 },
    ]);
  });

  test('the end of a failure during which leads are sent is not an outage', async ({
    db,
    hook,
  }) => {
    const lead = await storeLead(db);
    await advanceSyncClock(db, 16 * 60);
    await look(db, hook);
    expect(await db('notices')).toMatchObject([{ channel: 'webhook', what: 'pending-too-long' }]);

    await db('leads').where({ id: lead.id }).delete();
    await look(db, hook);

    expect([await db('notices'), await db('outages')]).toEqual([[], []]);
  });

  test('an alert repeats a message that the webhook did not accept', async ({ db, hook }) => {
    await db('sync_health').update(pause);
    hook.isDown = true;
    await look(db, hook);
    hook.isDown = false;
    await look(db, hook);

    expect(hook.told.map((message) => message.event)).toEqual(['paused']);
  });

  test('the end of an alert that never arrived is not reported', async ({ db, hook }) => {
    await db('sync_health').update(pause);
    hook.isDown = true;
    await look(db, hook);
    await db('sync_health').update(noPause);
    hook.isDown = false;
    await look(db, hook);

    expect(hook.told).toEqual([]);
    expect(await db('outages').pluck('kind')).toEqual(['paused']);
  });

  test('one lead that Beehiiv fails is an alert after ten minutes, with its start', async ({
    db,
    hook,
  }) => {
    const { id: leadId } = await storeLead(db);
    const answer = async (reason: 'server-error' | 'accepted', number: number) =>
      storeAttempt(db, { ...toJudged(reason), leadId, number });
    await answer('server-error', 1);
    const [first] = await db('lead_sync_attempts').select('startedAt');
    await advanceSyncClock(db, 599);
    await answer('server-error', 2);
    await look(db, hook);
    expect(hook.told).toEqual([]);

    await advanceSyncClock(db, 602);
    await look(db, hook);
    await answer('accepted', 3);
    const sent = { beehiivStatus: 'sent', beehiivSentAt: db.raw('sync_now()') } as const;
    await db('leads').update({ ...sent, nextAttemptAt: null });
    await db('sync_health').update({ lastAddedAt: db.raw('sync_now()') });
    await look(db, hook);

    const since = first!.startedAt.toISOString();
    expect(hook.told).toMatchObject([
      { event: 'outage', since, text: expect.stringContaining('Beehiiv does not answer.') },
      { event: 'recovered', of: 'outage', since },
    ]);
    expect(await db('outages').select('since', 'waited')).toEqual([
      { since: first!.startedAt, waited: 1 },
    ]);
  });

  test('the webhook has kinds and counts in words, and nobody’s email', async ({ db, hook }) => {
    for (const email of ['ada@reader.example', 'bob@reader.example']) {
      const { id: leadId } = await storeLead(db, {
        email,
        beehiivStatus: 'failed',
        beehiivReason: 'email-invalid',
        nextAttemptAt: null,
      });
      const startedAt = new Date(Date.now() - 3_600_000);
      await storeSubscription(db, { email, leadId, startedAt });
      await storePerson(db, { emailNormalised: email, tier: 'premium' });
    }
    await look(db, hook);

    expect(hook.told.map(({ text }) => text)).toEqual([
      'Needs attention: Pays, but does not receive (2). See the console’s overview.',
    ]);
  });

  test('alerts hold no transaction while the webhook answers, and send each message once', async ({
    db,
    hook,
  }) => {
    await db('sync_health').update(pause);
    const open: number[] = [];
    hook.whileAnswering = async () => {
      const [{ n }] = (
        await db.raw(`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`)
      ).rows;
      open.push(n);
      await look(db, hook);
    };

    await look(db, hook);

    expect(open).toEqual([0]);
    expect(hook.told.map(({ event }) => event)).toEqual(['paused']);
  });
});

test('several processes report a minute without a worker once, and its return', async ({
  db,
  hook,
}) => {
  const deps = { db, log, webhookUrl: hook.url, maxPendingMs: 15 * 60_000, isProduction: false };
  const check = () => Promise.all([tellWebhook(deps), tellWebhook(deps), tellWebhook(deps)]);
  await recordHeartbeat(db);
  await storeLead(db);
  await advanceSyncClock(db, 55);
  await check();
  expect(hook.told).toEqual([]);

  await advanceSyncClock(db, 65);
  await check();
  await check();
  expect(hook.told).toMatchObject([
    { event: 'no-worker', text: expect.stringContaining('1 lead waits, nothing is lost') },
  ]);

  await recordHeartbeat(db);
  await check();
  await check();
  expect(hook.told.slice(1)).toMatchObject([{ event: 'recovered', of: 'no-worker' }]);
});

test('an outage of Stripe is on record once, however many processes saw it', async ({ db }) => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  await recordStripeOutage(db, ago(60));
  await recordStripeOutage(db, ago(59));

  expect(await db('outages')).toMatchObject([{ kind: 'stripe-unavailable', waited: 0 }]);
});
