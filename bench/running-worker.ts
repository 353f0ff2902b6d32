import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Infra } from './filled-api.ts';

/** Starts a worker without a rate limit. Returns what stops it. */
export async function startWorker(
  infra: Infra,
  newsletterUrl: string,
  port: number,
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['services/worker/dist/main.js'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: infra.databaseUrl,
      REDIS_URL: infra.redisUrl,
      BEEHIIV_API_URL: newsletterUrl,
      BEEHIIV_REQUESTS_PER_MINUTE: '0',
      // A lead that fails several times in a row is sent again before the soak ends.
      BEEHIIV_BACKOFF_BASE_MS: '2000',
      WORKER_PORT: String(port),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('the worker did not start');
    await sleep(100);
  }
  return async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
}
