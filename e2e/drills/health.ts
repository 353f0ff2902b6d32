import type { Drill } from './drill.ts';
import type { Case } from './fairness.ts';
import { watchLight } from './light.ts';
import { startWire } from './wire.ts';
import { within } from './within.ts';

/*
 * Faults of the servers around the product that close no connection and end no process. Each must end by itself, and the
 * light must say so meanwhile.
 */

const MINUTE_MS = 60_000;
/** A silent connection is destroyed after 15 s, and then everything goes on. */
const MAX_SILENCE_SECONDS = 40;

/** Lets all open connections to a server fall silent while visitors come, and measures how long nothing is sent. */
const silence = (what: 'Postgres' | 'Redis'): Case => ({
  name: `silent ${what}`,
  allowed: 0,
  async run(drill) {
    const { servers, databaseUrl } = drill;
    const url = what === 'Postgres' ? databaseUrl : servers.valkey.url;
    const wire = await startWire(Number(new URL(url).port));
    try {
      const env = { [what === 'Postgres' ? 'DATABASE_URL' : 'REDIS_URL']: wire.over(url) };
      const [api] = await Promise.all([drill.startApi(env), drill.startWorker(env)]);
      const light = watchLight(api.url);
      const visits = drill.ledger.visit(3);
      await within(MINUTE_MS, 'leads are sent', () => isSending(drill, 10));
      await within(10_000, 'the light is on', () => light.says() === 'ok');

      const since = performance.now();
      const sentBefore = await drill.count(`beehiiv_status = 'sent'`);
      const pending = await drill.count('true');
      wire.silence();
      light.shouldBe('not ok');
      await within(4 * MINUTE_MS, 'later leads are sent', () => isSending(drill, Math.max(sentBefore, pending) + 20));
      const tookSeconds = (performance.now() - since) / 1_000;
      light.shouldBe('ok');
      await visits.end();
      await drill.settle();
      const wrongLightSeconds = await light.end();
      const faults = tookSeconds > MAX_SILENCE_SECONDS ? [`nothing went on for ${tookSeconds.toFixed(0)} s`] : [];
      if (what === 'Redis' && drill.ledger.refused.length > 0) faults.push('visitors were refused without Redis');
      return { faults, wrongLightSeconds };
    } finally {
      await wire.stop();
    }
  },
});

const isSending = async (drill: Drill, count: number) => (await drill.count(`beehiiv_status = 'sent'`)) >= count;

export const HEALTH_CASES: Case[] = [silence('Postgres'), silence('Redis')];
