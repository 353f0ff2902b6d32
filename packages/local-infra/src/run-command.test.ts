// @module-tag long
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test as base } from 'vitest';

import { buildSandboxSystem } from './testing/sandbox-system.ts';
import type { Start } from './testing/sandbox-system.ts';
import { waitUntil } from './wait-until.ts';

const test = base.extend('system', async ({ onTestFinished }) => {
  const system = await buildSandboxSystem();
  onTestFinished(async () => {
    await waitUntil(() => system.leftRunning().length === 0, 5_000);
    system.remove();
  });
  return system;
});

const told = async (run: Start) => ({ code: await run.ended, text: run.output() });

describe.concurrent('a command', { timeout: 60_000 }, () => {
  test('without a running system, doctor and reconcile ask for a start', async ({ system }) => {
    const [doctor, reconcile] = await Promise.all([
      told(system.run('doctor')),
      told(system.run('reconcile')),
    ]);

    expect(doctor).toMatchObject({
      code: 1,
      text: expect.stringContaining('Start the system first: npm start'),
    });
    expect(reconcile).toMatchObject({
      code: 2,
      text: expect.stringContaining('Start the system first: npm start'),
    });
    expect(existsSync(join(system.env['DATA_DIR']!, 'postgres'))).toBe(false);
  });

  test('a command works on the ports of a running start, and with a URL of its own', async ({
    system,
  }) => {
    const start = system.start();
    await start.until('Ctrl-C stops everything.');

    const beside = await told(
      system.run('reconcile', { PORT: '', WORKER_PORT: '', SANDBOX_PORT: '' }),
    );
    const elsewhere = await told(
      system.run('doctor --json', { DATABASE_URL: 'postgres://elsewhere/site' }),
    );
    start.child.kill('SIGTERM');
    await start.ended;

    expect(beside).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        `ran on postgres:.*127\\.0\\.0\\.1.* beside ${Object.values(system.ports).join(', ')}\n`,
      ),
    });
    expect(elsewhere).toMatchObject({
      code: 0,
      text: expect.stringContaining('ran on postgres://elsewhere/site'),
    });
  });
});

describe.concurrent('any task', { timeout: 60_000 }, () => {
  test.for([
    ['start --fast', 2, /npm start takes no arguments/],
    ['demo --help', 0, /npm run demo/],
    ['demo many', 2, /npm run demo/],
    ['nothing', 2, /There is no task "nothing"/],
  ] as const)(
    'the task "%s" explains itself with exit code %i',
    async ([task, code, text], { system }) => {
      const run = await told(system.run(task));

      expect(run).toMatchObject({ code, text: expect.stringMatching(text) });
    },
  );
});
