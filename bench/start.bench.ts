import { findFreePort } from '@site/local-infra/free-port';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isKept, judge, say } from './report.ts';
import type { Report } from './report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY = 'Everything is running.';

/** Measures `npm start` in a clone of the last commit: the first time, which installs and builds, and again. */
export async function benchStart(): Promise<Report[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    const cloned = spawnSync('git', ['clone', '--quiet', ROOT, folder]);
    if (cloned.status !== 0)
      throw new Error(`The repository was not cloned: ${cloned.stderr.toString()}`);
    const figures = [
      { name: 'first', seconds: await startOnce(folder), promised: { atMost: 20 } },
      { name: 'second', seconds: await startOnce(folder), promised: { atMost: 2 } },
    ];
    return [
      {
        name: 'start',
        title: 'npm start, until everything runs',
        heads: ['', 'seconds', 'promise', ''],
        lines: figures.map(({ name, seconds, promised }) => [
          name,
          say(seconds),
          ...judge(seconds, promised),
        ]),
        isGood: figures.every(({ seconds, promised }) => isKept(seconds, promised)),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts everything, stops it, and returns the seconds until it ran. */
async function startOnce(folder: string): Promise<number> {
  const [port, workerPort, sandboxPort] = await Promise.all([
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ]);
  const { PATH, HOME } = process.env;
  const env = {
    PATH,
    HOME,
    PORT: `${port}`,
    WORKER_PORT: `${workerPort}`,
    SANDBOX_PORT: `${sandboxPort}`,
  };
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes(READY)) return (performance.now() - startedAt) / 1_000;
    }
    throw new Error(`npm start ended early:\n${output.slice(-2_000)}`);
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
  }
}
