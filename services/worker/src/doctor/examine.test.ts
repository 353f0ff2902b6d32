import { test } from '@site/sandbox/testing/sandbox.fixture';
import type { Finding } from '@site/platform/doctor/findings';
import { task } from '@site/platform/database/task';
import { pauseSlots, createRateLimiter } from '../newsletter/rate-limiter.ts';
import { expect } from 'vitest';
import { createBeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import { examineBeehiiv, examineWorker } from './examine.ts';

// @module-tag long

const whole = test.extend('env', ({ databaseUrl, redisUrl, sandbox }) => {
  const env: Record<string, string> = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    BEEHIIV_API_URL: `${sandbox.url}/v2`,
  };
  return env;
});

const show = (findings: Finding[]) => findings.map(({ check, level }) => `${check}: ${level}`);
const examine = (env: Record<string, string>) => examineWorker(env);

whole('the doctor accepts valid settings, and complete custom fields', async ({ env }) => {
  expect(show(await examine(env))).toEqual([
    'worker settings: ok',
    'Beehiiv: ok',
    'Beehiiv custom fields: ok',
    'Beehiiv’s news: ok',
  ]);
});

whole('the doctor names the setting that Beehiiv rejects', async ({ env }) => {
  const remedyOf = async (changes: Record<string, string>) =>
    (await examine({ ...env, ...changes })).find(({ level }) => level === 'error')?.remedy;

  expect(await remedyOf({ BEEHIIV_API_KEY: 'wrong' })).toContain('BEEHIIV_API_KEY');
  expect(await remedyOf({ BEEHIIV_PUBLICATION_ID: 'pub_11' })).toContain('BEEHIIV_PUBLICATION_ID');
});

whole('the doctor names the custom fields that the publication lacks', async ({ env, sandbox }) => {
  sandbox.beehiiv.removeCustomField('lead_id');
  sandbox.beehiiv.removeCustomField('gclid');

  const findings = await examine(env);

  expect(findings.find(({ check }) => check === 'Beehiiv custom fields')).toMatchObject({
    level: 'warning',
    message: 'the publication lacks lead_id, gclid: leads are sent without them',
  });
});

whole(
  'the doctor reports that Beehiiv is unavailable, failing, or rate limiting',
  async ({ env, sandbox }) => {
    expect(show(await examine({ ...env, BEEHIIV_API_URL: 'http://127.0.0.1:1' }))).toContain(
      'Beehiiv: error',
    );

    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 500, times: 1 });
    expect(show(await examine(env))).toContain('Beehiiv: error');

    sandbox.setFault({ target: 'beehiiv', mode: 'rate-limit', times: 1 });
    expect(show(await examine(env))).toContain('Beehiiv: warning');
  },
);

whole('the doctor sends no request while the rate limiter is paused', async ({ db, sandbox }) => {
  await pauseSlots(db, 60_000);
  const { beehiivApiKey: apiKey, beehiivPublicationId: publicationId } = sandbox.credentials;
  const client = createBeehiivClient({ apiUrl: `${sandbox.url}/v2`, apiKey, publicationId });

  const findings = await examineBeehiiv({
    client,
    rateLimiter: createRateLimiter(db, 150),
    slotTimeoutMs: 50,
  });

  expect(show(findings)).toEqual(['Beehiiv: warning']);
  expect(sandbox.beehiiv.requests()).toEqual([]);
});

whole('the doctor reports that it cannot check without Postgres', async ({ env, sandbox }) => {
  const findings = await examine({ ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });

  expect(show(findings)).toEqual(['worker settings: ok', 'Beehiiv: error', 'Beehiiv’s news: ok']);
  expect(sandbox.beehiiv.requests()).toEqual([]);
});

whole('the doctor says whether Beehiiv’s news arrives', async ({ db, env }) => {
  const set = { ...env, BEEHIIV_WEBHOOK_SECRET: 's'.repeat(32) };
  const sayWith = async (changes: Record<string, string>) =>
    (await examine(changes)).find(({ check }) => check === 'Beehiiv’s news')?.message;
  const before = [await sayWith(env), await sayWith(set)];
  await task(db, 'beehiiv-events').update({ coversUntil: new Date() });
  const after = await sayWith(set);
  await task(db, 'beehiiv-events').update({ failure: 'key-not-allowed' });

  expect(before).toEqual(['not set up, compared each night', 'not registered yet']);
  expect(after).toBe('arrives at once');
  expect(await sayWith(set)).toBe('not available on your plan, compared each night');
  await task(db, 'beehiiv-events').update({ failure: 'key-refused' });
  expect(await sayWith(set)).toBe('Beehiiv refused the key');
});

test('the doctor names every wrong setting of the worker', async () => {
  const findings = await examineWorker({ BEEHIIV_PUBLICATION_ID: 'x' });

  expect(findings.map(({ level }) => level)).toEqual(['error', 'error', 'error']);
});
