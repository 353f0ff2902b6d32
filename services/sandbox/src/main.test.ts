// @module-tag long
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

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
  return { child, output: () => output };
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test.each([
  [{ NODE_ENV: 'production' }, 'NODE_ENV must not be production'],
  [{ SANDBOX_PORT: 'eighty' }, 'SANDBOX_PORT:'],
])('with %o the sandbox prints the reason and does not start', async (env, reason) => {
  const { child, output } = await run(env);

  expect(await exitCode(child)).toBe(1);
  expect(output()).toContain(reason);
});
