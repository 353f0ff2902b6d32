import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { findFreePort } from '../free-port.ts';
import { makeTestFolder } from '../test-folder.ts';
import { waitUntil } from '../wait-until.ts';

/*
 * For tests of the supervisor: a copy of the start scripts with tiny programs in place of the API,
 * worker and sandbox, so that a whole start takes a second. Postgres, Valkey and the supervisor are
 * real.
 */
const REAL_ROOT = resolve(fileURLToPath(new URL('../../../..', import.meta.url)));

const SERVICE = (port: string) => `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
const failure = process.env.FAILURE_OF_${port};
if (failure === 'settings') { console.error('BEEHIIV_API_KEY is missing.'); process.exit(1); }
console.log(JSON.stringify({ level: 30, msg: 'listening' }));
console.log(JSON.stringify({ level: 40, msg: 'offer is stale', setting: '${port}' }));
const server = createServer((_, res) => { res.statusCode = failure === 'never-ready' ? 503 : 200; res.end(String(process.pid)); });
server.listen(Number(process.env.${port}), '127.0.0.1');
const stop = (why) => { appendFileSync(process.env.DATA_DIR + '/order', '${port} ' + why + '\\n'); process.exit(0); };
process.on('SIGTERM', () => stop('asked'));
process.on('SIGINT', () => stop('interrupted'));
process.on('disconnect', () => stop('alone'));
`;

const MIGRATE = `
import { writeFileSync } from 'node:fs';
import pg from 'pg';
if (process.argv.includes('--help')) { console.log('usage of migrate'); process.exit(0); }
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query('create table if not exists starts (at timestamptz default now())');
const { rows } = await client.query('with added as (insert into starts default values) select count(*)::int as n from starts');
await client.end();
if (rows[0].n === 0) writeFileSync(process.argv[3], 'username: admin\\npassword: open-sesame\\n');
`;

/** Handles its arguments as the real commands do. */
const COMMAND = (name: string) => `
const args = process.argv.slice(2);
if (args.includes('--help')) { console.log('usage of ${name}'); process.exit(0); }
if (args.some((arg) => !['--json', '--arguments-only'].includes(arg))) { console.error('usage of ${name}'); process.exit(2); }
if (args.includes('--arguments-only')) process.exit(0);
const { DATABASE_URL, PORT, WORKER_PORT, SANDBOX_PORT } = process.env;
const ports = [PORT, WORKER_PORT, SANDBOX_PORT].join(', ');
console.log('${name} ran on ' + DATABASE_URL + ' beside ' + ports);
`;

export type SandboxSystem = {
  root: string;
  ports: { PORT: number; WORKER_PORT: number; SANDBOX_PORT: number };
  env: Record<string, string | undefined>;
  start(more?: Record<string, string>, how?: 'node' | 'npm'): Start;
  /** Runs another task, such as `doctor --json`. */
  run(task: string, more?: Record<string, string>): Start;
  /** Command lines of all processes of this system that still run. */
  leftRunning(): string[];
  remove(): void;
};

export type Start = {
  child: ChildProcess;
  output(): string;
  until(text: string | RegExp): Promise<void>;
  ended: Promise<number | string>;
};

export async function buildSandboxSystem(): Promise<SandboxSystem> {
  const folder = makeTestFolder();
  const root = folder.path;
  const fromHere = createRequire(import.meta.url);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  cpSync(join(REAL_ROOT, 'scripts'), join(root, 'scripts'), { recursive: true });
  write(
    'scripts/steps.mjs',
    'export const takeSteps = () => Promise.resolve();\nexport const install = takeSteps;',
  );
  const runner = 'node scripts/run.mjs';
  const start = `${runner} start`;
  write(
    'package.json',
    JSON.stringify({
      type: 'module',
      engines: { node: '>=20.19.0' },
      scripts: { start: `exec ${start}` },
    }),
  );
  write(
    'packages/local-infra/dist/run-all.js',
    `export * from '${join(REAL_ROOT, 'packages/local-infra/dist/run-all.js')}';`,
  );
  write(
    'packages/local-infra/dist/run-command.js',
    `export * from '${join(REAL_ROOT, 'packages/local-infra/dist/run-command.js')}';`,
  );
  for (const path of [
    'api/dist/commands/doctor',
    'worker/dist/commands/doctor',
    'worker/dist/commands/reconcile',
  ]) {
    write(`services/${path}.js`, COMMAND(path));
  }
  for (const [name, port] of [
    ['api', 'PORT'],
    ['worker', 'WORKER_PORT'],
    ['sandbox', 'SANDBOX_PORT'],
  ] as const) {
    write(`services/${name}/dist/main.js`, SERVICE(port));
  }
  write(
    'services/api/dist/commands/migrate.js',
    MIGRATE.replace(`'pg'`, `'${fromHere.resolve('pg')}'`),
  );
  write('services/api/dist/commands/stripe-setup.js', `console.log('done');`);

  const ports = {
    PORT: await findFreePort(),
    WORKER_PORT: await findFreePort(),
    SANDBOX_PORT: await findFreePort(),
  };
  const settings = Object.entries(ports).map(([name, port]) => [name, String(port)] as const);
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|DATABASE_URL|REDIS_URL)/.test(name),
  );
  const env = {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(settings),
    DATA_DIR: join(root, 'data'),
  };
  return {
    root,
    ports,
    env,
    start: (more = {}, how = 'node') =>
      startCommand(how === 'npm' ? ['npm', 'start'] : start.split(' '), root, { ...env, ...more }),
    run: (task, more = {}) =>
      startCommand(`${runner} ${task}`.split(' '), root, { ...env, ...more }),
    leftRunning: () => findProcessesOf(root),
    remove: folder.remove,
  };
}

function startCommand(
  [program = '', ...args]: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Start {
  // In its own process group, as on a terminal, so that Ctrl-C reaches all of it.
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  const until = async (text: string | RegExp) => {
    const isThere = () => (typeof text === 'string' ? output.includes(text) : text.test(output));
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    const isSettled = await waitUntil(() => isThere() || isOver(), 30_000);
    if (!isSettled || !isThere()) throw new Error(`Did not print ${String(text)}:\n${output}`);
  };
  return { child, output: () => output, until, ended };
}

// Every process of the system inherits its DATA_DIR, whose path is unique.
function findProcessesOf(root: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isPart = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(root);
        return isPart
          ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`]
          : [];
      } catch {
        return [];
      }
    });
}
