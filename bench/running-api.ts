import { findFreePort } from '@site/local-infra/free-port';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LOGIN = { username: 'bench', password: 'a password for the bench alone' };
const START_MS = 20_000;

export type RunningApi = {
  pid: number;
  url: string;
  login: { username: string; password: string };
  get(address: string): Promise<unknown>;
  post(address: string, body: object): Promise<unknown>;
  open(address: string): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
};

/** Migrates a database, starts the built API on it as in production, and logs an operator in. */
export async function startApi(
  infra: { databaseUrl: string; redisUrl: string },
  settings: NodeJS.ProcessEnv = {},
): Promise<RunningApi> {
  const port = await findFreePort();
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: infra.databaseUrl,
    REDIS_URL: infra.redisUrl,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_LEADS_PER_MINUTE: '0',
    ADMIN_USERNAME: LOGIN.username,
    ADMIN_PASSWORD: LOGIN.password,
    ...settings,
  };
  // With the flag of the images.
  const run = (file: string) =>
    spawn(process.execPath, ['--max-semi-space-size=64', `services/api/dist/${file}`], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const [code] = (await once(run('commands/migrate.js'), 'exit')) as [number];
  if (code !== 0) throw new Error('the database could not be migrated');

  const child = run('main.js');
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + START_MS;
  while (!(await fetch(`${url}/livez`).catch(() => null))?.ok) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error('the API did not start');
    await sleep(100);
  }
  const login = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(LOGIN),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask = async (address: string, body?: object) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json' };
    const answer = await fetch(
      url + address,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  return {
    pid: child.pid ?? 0,
    url,
    login: LOGIN,
    get: async (address) => (await ask(address)).json(),
    post: async (address, body) => (await ask(address, body)).json(),
    async open(address) {
      const { body } = await ask(address);
      if (!body) throw new Error('the answer has no body');
      return body;
    },
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
