// @module-tag long
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { expect, onTestFinished, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';

async function run(env: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandbox-main-'));
  const child = fork(join(import.meta.dirname, '../dist/main.js'), [], {
    cwd: join(import.meta.dirname, '..'),
    env: { SANDBOX_PORT: '0', DATA_DIR: dataDir, ...env },
    silent: true,
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  let output = '';
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return { child, dataDir, output: () => output };
}

async function whenStarted(child: ChildProcess): Promise<string> {
  for await (const chunk of child.stdout ?? []) {
    const url = /http:\/\/\S+/.exec(String(chunk))?.[0];
    if (url) return url;
  }
  throw new Error('The sandbox did not print its URL');
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test('SIGTERM ends the sandbox with 0 and keeps its state in the data folder', async () => {
  const { child, dataDir } = await run();
  const url = await whenStarted(child);
  await axios.post(
    `${url}/v2/publications/${SANDBOX_CREDENTIALS.beehiivPublicationId}/subscriptions`,
    { email: 'ada@example.com' },
    { headers: { Authorization: `Bearer ${SANDBOX_CREDENTIALS.beehiivApiKey}` } },
  );

  child.kill('SIGTERM');

  expect(await exitCode(child)).toBe(0);
  expect(await readFile(join(dataDir, 'sandbox', 'state.json'), 'utf8')).toContain(
    'ada@example.com',
  );
});

test('the sandbox ends when its parent process is gone', async () => {
  const { child } = await run();
  await whenStarted(child);

  child.disconnect();

  expect(await exitCode(child)).toBe(0);
});

test.each([
  [{ NODE_ENV: 'production' }, 'NODE_ENV must not be production'],
  [{ SANDBOX_PORT: 'eighty' }, 'SANDBOX_PORT:'],
])('with %o the sandbox prints the reason and does not start', async (env, reason) => {
  const { child, output } = await run(env);

  expect(await exitCode(child)).toBe(1);
  expect(output()).toContain(reason);
});

test('a port in use is reported in one sentence', async () => {
  const { child } = await run();
  const port = new URL(await whenStarted(child)).port;

  const second = await run({ SANDBOX_PORT: port });

  expect(await exitCode(second.child)).toBe(1);
  expect(second.output().trim()).toBe(`Port ${port} is taken. Set SANDBOX_PORT to a free one.`);
});
