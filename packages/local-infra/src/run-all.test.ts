// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { describe, expect, test as base } from 'vitest';

import { buildSandboxSystem } from './testing/sandbox-system.ts';
import { waitUntil } from './wait-until.ts';

const test = base.extend('system', async ({ onTestFinished }) => {
  const system = await buildSandboxSystem();
  onTestFinished(async () => {
    await waitUntil(() => system.leftRunning().length === 0, 5_000);
    system.remove();
  });
  return system;
});

const READY = 'Ctrl-C stops everything.';

async function readPid(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
}

describe.concurrent('npm start', { timeout: 60_000 }, () => {
  test('npm start shows the login once, stops in order and keeps the data', async ({ system }) => {
    const first = system.start();
    await first.until(READY);
    process.kill(-first.child.pid!, 'SIGINT');

    expect(await first.ended).toBe(0);
    expect(system.leftRunning()).toEqual([]);
    expect(first.output()).toMatch(/^username: admin\npassword: open-sesame$/m);
    expect(first.output()).toContain(`http://127.0.0.1:${system.ports.PORT}/admin-leads`);
    const order = readFileSync(join(system.env['DATA_DIR']!, 'order'), 'utf8');
    expect(order).toBe('WORKER_PORT asked\nPORT asked\nSANDBOX_PORT asked\n');

    const second = system.start();
    await second.until(READY);
    process.kill(second.child.pid!, 'SIGTERM');

    expect(await second.ended).toBe(0);
    expect(second.output()).not.toContain('password:');
    expect(second.output()).toContain('npm run admin:user');
  });

  test('npm start restarts a process that ends, and reports it', async ({ system }) => {
    const start = system.start();
    await start.until(READY);
    const worker = await readPid(system.ports.WORKER_PORT);
    const postgres = Number(
      readFileSync(join(system.env['DATA_DIR']!, 'postgres/postmaster.pid'), 'utf8').split('\n')[0],
    );

    process.kill(worker, 'SIGKILL');
    process.kill(postgres, 'SIGKILL');
    await Promise.all([
      start.until('worker is running again.'),
      start.until('Postgres is running again.'),
    ]);

    expect(start.output()).toContain('worker ended (SIGKILL); starting it again');
    expect(await readPid(system.ports.WORKER_PORT)).not.toBe(worker);
    start.child.kill('SIGTERM');
    expect(await start.ended).toBe(0);
    expect(system.leftRunning()).toEqual([]);
  });

  test('npm start leaves nothing running when it is killed itself, and can start again', async ({
    system,
  }) => {
    const killed = system.start();
    await killed.until(READY);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await waitUntil(() => system.leftRunning().length === 0, 8_000)).toBe(true);

    const next = system.start();
    await next.until(READY);
    next.child.kill('SIGTERM');

    expect(await next.ended).toBe(0);
    expect(next.output()).not.toContain('password:');
  });

  test('npm start shows the message of a service that refuses its settings', async ({ system }) => {
    const start = system.start({ FAILURE_OF_WORKER_PORT: 'settings' });

    expect(await start.ended).toBe(1);
    expect(start.output()).toContain('worker did not start: BEEHIIV_API_KEY is missing.');
    expect(system.leftRunning()).toEqual([]);

    const next = system.start();
    await next.until(READY);
    next.child.kill('SIGTERM');

    expect(await next.ended).toBe(0);
    expect(next.output()).toMatch(/^username: admin\npassword: open-sesame$/m);
    expect(readdirSync(system.env['DATA_DIR']!)).not.toContain('first-login');
  });

  test('npm start names a port in use and its setting', async ({ system, onTestFinished }) => {
    const other = createServer().listen(system.ports.WORKER_PORT, '127.0.0.1');
    onTestFinished(() => void other.close());

    const start = system.start();

    expect(await start.ended).toBe(1);
    expect(start.output().trim()).toBe(
      `Port ${system.ports.WORKER_PORT} is in use by another program: stop that one, or set WORKER_PORT to a free port.`,
    );
  });

  test('npm start refuses a data folder in use by a running start', async ({ system }) => {
    const first = system.start();
    await first.until(/Postgres/);

    const second = system.start();

    expect(await second.ended).toBe(1);
    expect(second.output().trim()).toMatch(/^npm start \(process \d+\) already runs on /);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
  });
});
