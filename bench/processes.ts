import { findFreePort } from '@site/local-infra/free-port';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOGIN = { username: 'bench', password: 'a password for the bench alone' };
const START_MS = 20_000;

export type Infra = { databaseUrl: string; redisUrl: string };

/** A process of ours, or one of the usual implementation. */
export type Started = { pid: number; url: string; close(): Promise<void> };

export type RunningApi = Started & {
  get(address: string): Promise<unknown>;
  post(address: string, body: object): Promise<unknown>;
  open(address: string): Promise<AsyncIterable<Uint8Array>>;
};

/** Migrates a database, starts the built API on it as in production, and logs an operator in. */
export async function startApi(
  infra: Infra,
  settings: NodeJS.ProcessEnv = {},
): Promise<RunningApi> {
  const port = await findFreePort();
  const env = {
    PORT: String(port),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_LEADS_PER_MINUTE: '0',
    ADMIN_USERNAME: LOGIN.username,
    ADMIN_PASSWORD: LOGIN.password,
    ...settings,
  };
  // With the images' flag.
  const toArgs = (file: string) => ['--max-semi-space-size=64', `services/api/dist/${file}`];
  const [code] = await once(run(toArgs('commands/migrate.js'), infra, env), 'exit');
  if (code !== 0) throw new Error('the database could not be migrated');

  const started = await untilLive(run(toArgs('main.js'), infra, env), port);
  const login = await fetch(`${started.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(LOGIN),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (address: string, body?: object) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json' };
    const answer = await fetch(
      started.url + address,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  return {
    ...started,
    get: async (address) => (await ask(address)).json(),
    post: async (address, body) => (await ask(address, body)).json(),
    async open(address) {
      const { body } = await ask(address);
      if (!body) throw new Error('the answer has no body');
      return body;
    },
  };
}

/** Starts a worker without a rate limit. The port defaults to a free one. */
export async function startWorker(
  infra: Infra,
  newsletterUrl: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const port = Number(settings['WORKER_PORT'] ?? (await findFreePort()));
  const env = {
    BEEHIIV_API_URL: newsletterUrl,
    BEEHIIV_REQUESTS_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
    WORKER_PORT: String(port),
    ...settings,
  };
  return untilLive(run(['services/worker/dist/main.js'], infra, env), port);
}

/**
 * Starts the usual implementation in a file of `baseline`, which prints its port once it is ready.
 */
export async function startBaseline(
  file: string,
  infra: Infra,
  settings: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const child = run(['--import', 'tsx', `bench/baseline/${file}`], infra, {
    NODE_ENV: 'production',
    ...settings,
  });
  const [port] = await once(child, 'message');
  return toStarted(child, Number(port));
}

function run(args: string[], infra: Infra, settings: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: infra.databaseUrl,
      REDIS_URL: infra.redisUrl,
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function untilLive(child: ChildProcess, port: number): Promise<Started> {
  const started = toStarted(child, port);
  const deadline = performance.now() + START_MS;
  while (!(await fetch(`${started.url}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${child.spawnargs.join(' ')} did not start`);
    await sleep(100);
  }
  return started;
}

function toStarted(child: ChildProcess, port: number): Started {
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
