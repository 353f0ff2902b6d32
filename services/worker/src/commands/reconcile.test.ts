// @module-tag long
import { storeSubscription } from '@site/testing/money-builders';
import { storeLead, storePerson } from '@site/testing/builders';
import type { Sandbox } from '@site/sandbox/sandbox';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { test } from '../testing/worker.fixture.ts';

const WORKER = fileURLToPath(new URL('../..', import.meta.url));
const anHourAgo = () => new Date(Date.now() - 3_600_000);

type World = { databaseUrl: string; sandbox: Sandbox };

function run(
  { databaseUrl, sandbox }: World,
  ...flags: string[]
): Promise<{ code: number; output: string }> {
  const args = ['dist/commands/reconcile.js', ...flags];
  const env = {
    DATABASE_URL: databaseUrl,
    SANDBOX_PORT: String(sandbox.port),
    BEEHIIV_REQUESTS_PER_MINUTE: '0',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: WORKER, env }, (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout });
    });
  });
}

test('reconcile prints differences as JSON, fixes some, and ends with 0, 1 or 2', async ({
  db,
  databaseUrl,
  sandbox,
}) => {
  const world = { databaseUrl, sandbox };
  const sent = { beehiivStatus: 'sent', nextAttemptAt: null, beehiivSentAt: anHourAgo() } as const;
  const missing = await storeLead(db, { ...sent, email: 'missing@reader.example' });
  await storeSubscription(db, {
    stripeSubscriptionId: 'sub_1',
    email: 'missing@reader.example',
    startedAt: anHourAgo(),
  });
  const emailNormalised = 'missing@reader.example';
  await storePerson(db, {
    emailNormalised,
    tier: 'premium',
    tierConfirmedVersion: 1,
    tierSince: anHourAgo(),
  });

  const found = await run(world, '--json');
  expect(JSON.parse(found.output)).toEqual({
    checked: 1,
    skipped: 0,
    missing: [missing.id],
    invalid: [],
    left: [],
    unknown: 0,
    payments: { checked: 1, paysNotActive: ['sub_1'], paysTwice: [], premiumNotPaying: [] },
  });
  expect(found.code).toBe(1);

  const fixed = await run(world, '--fix');
  expect(fixed.output).toContain('Put right: 1');
  expect(fixed.code).toBe(0);
  expect(sandbox.beehiiv.find(emailNormalised)).toBeDefined();

  sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 401 });
  expect((await run(world)).code).toBe(2);
}, 60_000);
