import { startHook } from '@site/testing/alert-hook';
import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { test as base } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { createLogger } from '../process/logger.ts';
import { showPresence } from '../database/task.ts';
import { recordStripeOutage } from './report-conditions.ts';
import { checkAlerts, createOwnAlerts } from './alerts.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const test = base.extend('hook', async ({ onTestFinished }) => {
  const hook = await startHook();
  onTestFinished(() => hook.close());
  return hook;
});

test('several processes report a minute without a worker once, and its return', async ({
  db,
  hook,
}) => {
  const deps = { db, log, webhookUrl: hook.url, maxPendingMs: 15 * 60_000, isProduction: false };
  const check = () => Promise.all([checkAlerts(deps), checkAlerts(deps), checkAlerts(deps)]);
  await showPresence(db);
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

  await showPresence(db);
  await check();
  await check();
  expect(hook.told.slice(1)).toMatchObject([{ event: 'recovered', of: 'no-worker' }]);
});

test.for([
  ['a Postgres that cannot be written', 'cannot-write'],
  ['a Redis that does not answer', 'redis-unavailable'],
  ['a missing migration', 'not-set-up'],
  ['a Stripe that fails', 'stripe-unavailable'],
] as const)(
  '%s is reported without the database, once, after 20 s, and its end once',
  async ([, kind], { hook }) => {
    let now = new Date('2026-11-20T09:00:00Z');
    const ended: unknown[] = [];
    const report = createOwnAlerts(
      { log, webhookUrl: hook.url },
      async (...outage) => void ended.push(outage),
      () => now,
    );
    const refusal = { kind, since: now, text: 'What is wrong.' };
    const after = (seconds: number) => (now = new Date(refusal.since.getTime() + seconds * 1_000));

    after(15);
    await report({ conditions: [refusal] });
    expect(hook.told).toEqual([]);

    after(25);
    hook.isDown = true;
    await report({ conditions: [refusal] });
    hook.isDown = false;
    await report({ conditions: [refusal] });
    await report({ conditions: [refusal] });
    await report({ conditions: [] });
    await report({ conditions: [] });

    expect(hook.told).toMatchObject([
      {
        event: kind,
        since: refusal.since.toISOString(),
        text: refusal.text,
        runbook: `docs/alerts/${kind}.md`,
      },
      { event: 'recovered', of: kind, runbook: `docs/alerts/${kind}.md` },
    ]);
    expect(ended).toEqual([[kind, refusal.since.toISOString()]]);
  },
);

test('an outage of Stripe is on record once, however many processes saw it', async ({ db }) => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  await recordStripeOutage(db, ago(60));
  await recordStripeOutage(db, ago(59));

  expect(await db('outages')).toMatchObject([{ kind: 'stripe-unavailable', waited: 0 }]);
});
