import { startHook } from '@site/testing/alert-hook';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Drill } from './drill.ts';
import type { Case } from './fairness.ts';
import { startWire } from './wire.ts';
import { within } from './within.ts';

/*
 * Faults of the servers around the product that close no connection and end no process. Each must
 * end without help, and health must report it meanwhile.
 */

const MINUTE_MS = 60_000;
/** A silent connection is destroyed after 15 s, and then the work continues. */
const MAX_SILENCE_SECONDS = 40;

/** A worker is missed after half a minute, and a refusal noticed at once. */
const MAX_WRONG_SECONDS = 45;

/**
 * Lets all open connections to a server fall silent while visitors come, and measures the time
 * without sending.
 */
const silence = (what: 'Postgres' | 'Redis'): Case => ({
  name: `silent ${what}`,
  allowed: 0,
  async run(drill) {
    const { servers, databaseUrl } = drill;
    const url = what === 'Postgres' ? databaseUrl : servers.valkey.url;
    const wire = await startWire(Number(new URL(url).port));
    try {
      const env = { [what === 'Postgres' ? 'DATABASE_URL' : 'REDIS_URL']: wire.over(url) };
      await Promise.all([drill.startApi(env), drill.startWorker(env)]);
      const visits = drill.ledger.visit(3);
      await within(MINUTE_MS, 'leads are sent', () => isSending(drill, 10));
      await within(10_000, 'the light is on', () => drill.light.says() === 'ok');

      const since = performance.now();
      const sentBefore = await drill.count(`beehiiv_status = 'sent'`);
      const pending = await drill.count('true');
      wire.silence();
      drill.light.shouldBe('not ok');
      await within(4 * MINUTE_MS, 'later leads are sent', () =>
        isSending(drill, Math.max(sentBefore, pending) + 20),
      );
      const tookSeconds = (performance.now() - since) / 1_000;
      drill.light.shouldBe('either');
      await visits.end();
      // A claim whose answer was lost keeps its lead until its lease ends, after 45 s.
      await drill.settle(MINUTE_MS);
      const faults =
        tookSeconds > MAX_SILENCE_SECONDS
          ? [`nothing went on for ${tookSeconds.toFixed(0)} s`]
          : [];
      if (what === 'Redis' && drill.ledger.refused.length > 0)
        faults.push('visitors were refused without Redis');
      return { faults };
    } finally {
      await wire.stop();
    }
  },
});

const isSending = async (drill: Drill, count: number) =>
  (await drill.count(`beehiiv_status = 'sent'`)) >= count;

const findWrongLight = ({ light }: Drill) => {
  const seconds = light.wrongSeconds() ?? 0;
  return seconds > MAX_WRONG_SECONDS ? [`the light was wrong for ${seconds.toFixed(0)} s`] : [];
};

/** Kills the only worker while leads wait, and starts it again after a minute. */
const noWorker: Case = {
  name: 'no worker',
  allowed: 0,
  async run(drill) {
    const [, worker] = await Promise.all([drill.startApi(), drill.startWorker()]);
    await drill.ledger.submit();
    await drill.settle();
    await within(20_000, 'the light is on', () => drill.light.says() === 'ok');

    await worker.kill();
    drill.light.shouldBe('not ok');
    const visits = drill.ledger.visit(1);
    await sleep(MINUTE_MS);
    const said = drill.light.says();
    await worker.start();
    drill.light.shouldBe('either');
    await visits.end();
    await drill.settle();
    const faults = findWrongLight(drill);
    if (said !== 'degraded') faults.push(`/readyz said ${said}`);
    return { faults };
  },
};

/**
 * Stops the queue from handing out jobs, though Redis answers. The worker ends with 1, and its
 * supervisor restarts it.
 */
const stalled: Case = {
  name: 'nothing moves',
  allowed: 0,
  async run(drill) {
    const [, worker] = await Promise.all([drill.startApi(), drill.startWorker()]);
    await drill.ledger.submit();
    await drill.settle();
    await within(20_000, 'the light is on', () => drill.light.says() === 'ok');

    await drill.servers.tellValkey('HSET {bull}:leads:meta paused 1');
    drill.light.shouldBe('not ok');
    await Promise.all(Array.from({ length: 5 }, () => drill.ledger.submit()));
    await within(4 * MINUTE_MS, 'the worker has ended', () => worker.hasEndedUnexpectedly());
    const said = drill.light.says();
    await drill.servers.tellValkey('HDEL {bull}:leads:meta paused');
    await worker.start();
    drill.light.shouldBe('either');
    await drill.settle();
    const faults = said === 'degraded' ? [] : [`/readyz said ${said}`];
    if (!worker.log().some((line) => line.includes('nothing moves')))
      faults.push('it did not say why it ended');
    return { faults };
  },
};

/**
 * Beehiiv refuses every addition and accepts updates, for three minutes. The alerts report one
 * outage.
 */
const additionsFail: Case = {
  name: 'additions fail while updates work',
  allowed: 0,
  async run(drill) {
    const hook = await startHook();
    try {
      const env = { ALERT_WEBHOOK_URL: hook.url };
      const slowly = { ...env, BEEHIIV_BACKOFF_BASE_MS: '5000', BEEHIIV_REQUESTS_PER_MINUTE: '60' };
      const [, worker] = await Promise.all([drill.startApi(env), drill.startWorker(slowly)]);
      const known = Array.from({ length: 14 }, (_, n) => `known${n}@reader.example`);
      await Promise.all(known.map((email) => drill.ledger.submit({ email })));
      await drill.settle();
      const failed = Array.from({ length: 8 }, (_, n) => `never${n}+500@reader.example`);
      await Promise.all(failed.map((email) => drill.ledger.submit({ email })));
      await within(MINUTE_MS, 'the outage is reported', () =>
        hook.told.some(({ event }) => event === 'outage'),
      );
      drill.light.shouldBe('not ok');
      for (const email of known) {
        await drill.ledger.submit({ email, formType: 'pre_sample' });
        await sleep(13_000);
      }
      const during = hook.told.map(({ event }) => event);
      drill.light.shouldBe('either');
      await drill.ledger.submit();
      await within(MINUTE_MS, 'its end is reported', () =>
        hook.told.some(({ of }) => of === 'outage'),
      );
      const isRestSent = async () =>
        (await drill.count(`beehiiv_status = 'pending'`)) === failed.length;
      await within(MINUTE_MS, 'all others are sent', isRestSent);
      // These leads never succeed, and would take a day to fail. The stop interrupts no request.
      await within(MINUTE_MS, 'no request is under way', async () => {
        await drill.db('leads').whereIn('email', failed).update({ nextAttemptAt: 'infinity' });
        return (await drill.db('lead_sync_attempts').whereNull('class').first()) === undefined;
      });
      await worker.stop();
      await drill
        .db('leads')
        .whereIn('email', failed)
        .update({ beehiivStatus: 'failed', nextAttemptAt: null });
      return { failed, faults: during.join() === 'outage' ? [] : [`alerts: ${during.join()}`] };
    } finally {
      hook.close();
    }
  },
};

export const HEALTH_CASES: Case[] = [
  silence('Postgres'),
  silence('Redis'),
  noWorker,
  stalled,
  additionsFail,
];
