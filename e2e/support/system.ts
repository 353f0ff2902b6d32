import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findFreePort } from '@site/local-infra/free-port';
import { makeTestFolder } from '@site/local-infra/test-folder';

const ROOT = join(import.meta.dirname, '../..');
const READY = 'Ctrl-C stops everything.';
// The start may have to build first.
const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 60_000;

export type Settings = Record<string, string>;

export type System = {
  siteUrl: string;
  sandboxUrl: string;
  login: { username: string; password: string };
  /** Returns its output and the last lines of its processes' logs. */
  logs(): string;
  /** Stops it as an operator would. Throws if it does not end cleanly. */
  stop(): Promise<void>;
};

/** Starts the whole product as `npm start` does, on free ports and an empty data folder. */
export async function startSystem(settings: Settings): Promise<System> {
  const { path: dataDir, remove } = makeTestFolder();
  const child = spawn(process.execPath, ['scripts/run.mjs', 'start'], {
    cwd: ROOT,
    env: await toEnvironment(dataDir, settings),
    detached: true,
    // The IPC channel closes if this process is killed, which stops the system.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const logs = () =>
    [output, ...['api', 'worker', 'sandbox'].map((name) => tailOf(dataDir, name))].join('\n\n');

  try {
    await untilReady(child, () => output.includes(READY));
    return {
      siteUrl: readLine(output, 'site').replace(/\/$/, ''),
      sandboxUrl: readLine(output, 'sandbox').replace(/\/$/, ''),
      login: { username: readLine(output, 'username'), password: readLine(output, 'password') },
      logs,
      async stop() {
        const code = await end(child);
        const left = findProcessesOf(dataDir);
        if (code !== 0 || left.length > 0) {
          throw new Error(
            `The system ended with ${code} and left [${left.join('; ')}]:\n${logs()}`,
          );
        }
        remove();
      },
    };
  } catch (cause) {
    await end(child);
    const told = logs();
    remove();
    throw new Error(`The system did not start:\n${told}`, { cause });
  }
}

async function toEnvironment(dataDir: string, settings: Settings): Promise<NodeJS.ProcessEnv> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|PLAYWRIGHT_|PW)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    // A developer's .env must not affect the test.
    ...Object.fromEntries(settingNames().map((name) => [name, ''])),
    DATA_DIR: dataDir,
    PORT: String(await findFreePort()),
    WORKER_PORT: String(await findFreePort()),
    SANDBOX_PORT: String(await findFreePort()),
    RATE_LIMIT_LEADS_PER_MINUTE: '0',
    // At the default rate each lead would wait for its slot. The drills measure that, and journeys
    // would only take longer.
    BEEHIIV_REQUESTS_PER_MINUTE: '1200',
    SANDBOX_REQUESTS_PER_MINUTE: '0',
    ...settings,
  };
}

function settingNames(): string[] {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  return [...example.matchAll(/^#([A-Z_]+)=/gm)].map((match) => match[1] ?? '');
}

async function untilReady(child: ChildProcess, isReady: () => boolean): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (!isReady()) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('it ended unexpectedly');
    if (performance.now() > deadline) throw new Error('it was not ready in time');
    await sleep(50);
  }
}

function readLine(output: string, name: string): string {
  const value = new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(output)?.[1];
  if (value === undefined) throw new Error(`it printed no line "${name}: …"`);
  return value;
}

async function end(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    const isLate = await Promise.race([closed, sleep(STOP_DEADLINE_MS, 'late', { ref: false })]);
    if (isLate === 'late') child.kill('SIGKILL');
    await closed;
  }
  return child.exitCode ?? child.signalCode ?? 'no code';
}

/** Every process of a start inherits its DATA_DIR, whose path is unique. Works only on Linux. */
function findProcessesOf(dataDir: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const isOurs =
          command.includes(dataDir) ||
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(dataDir);
        return isOurs ? [`${pid} ${command}`] : [];
      } catch {
        // It has just ended or belongs to another user.
        return [];
      }
    });
}

function tailOf(dataDir: string, name: string): string {
  const path = join(dataDir, 'logs', `${name}.log`);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n').slice(-60) : [];
  return [`── ${name}.log`, ...lines].join('\n');
}
