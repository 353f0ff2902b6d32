import { test } from '@site/sandbox/testing/sandbox.fixture';
import type { Finding } from '@site/platform/doctor/findings';
import { expect } from 'vitest';
import { examineWorker } from './examine.ts';

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

test('the doctor names every wrong setting of the worker', async () => {
  const findings = await examineWorker({ BEEHIIV_PUBLICATION_ID: 'x' });

  expect(findings.map(({ level }) => level)).toEqual(['error', 'error', 'error']);
});
