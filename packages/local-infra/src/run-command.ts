import { join } from 'node:path';
import { spawn } from 'node:child_process';

import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { commandOf } from './supervisor/parts.ts';
import type { Program } from './supervisor/child.ts';
import { readEnvironment, toServiceEnv } from './supervisor/environment.ts';
import type { Env } from './supervisor/environment.ts';

export type CommandOptions = {
  name: string;
  args: string[];
  rootDir: string;
  dataDir: string;
  env: Env;
  signal: AbortSignal;
  /** The connections of a running `npm start`. Without them Postgres runs only for the command. */
  running?: { databaseUrl: string; redisUrl: string };
};

/** The services that run a command, in order, if not only the API. */
const SERVICES: Record<string, ('api' | 'worker')[]> = {
  doctor: ['api', 'worker'],
  reconcile: ['worker'],
};

/**
 * Lets the command look at its arguments before anything is started for it. Returns an exit code if
 * it explained them, because help was asked for or they are wrong.
 *
 * @public The command script imports the built file.
 */
export async function checkArguments({
  name,
  args,
  ...options
}: CommandOptions): Promise<number | undefined> {
  if (args.length === 0) return undefined;
  const from = readEnvironment(options.rootDir, options.dataDir, options.env);
  const service = SERVICES[name]?.[0] ?? 'api';
  const program = commandOf(from, from.env, { service, name, args: [...args, '--arguments-only'] });
  const exitCode = await runInTerminal(program, options.signal);
  return exitCode !== 0 || args.includes('--help') || args.includes('-h') ? exitCode : undefined;
}

/**
 * Runs a one-shot command in this terminal. Returns its exit code, or the highest one of several
 * services.
 *
 * @public The command script imports the built file.
 */
export async function runCommand(options: CommandOptions): Promise<number> {
  const { signal } = options;
  const from = readEnvironment(options.rootDir, options.dataDir, options.env);
  const given = from.env['DATABASE_URL'] || options.running?.databaseUrl;
  const redisUrl = from.env['REDIS_URL'] || options.running?.redisUrl;
  const postgres =
    given === undefined
      ? await startEmbeddedPostgres({
          dataDir: join(from.dataDir, 'postgres'),
          logFile: join(from.dataDir, 'logs', 'postgres.log'),
          signal,
        })
      : undefined;
  try {
    const databaseUrl = given ?? postgres?.url ?? '';
    const env = toServiceEnv(from, { databaseUrl, ...(redisUrl !== undefined && { redisUrl }) });
    let exitCode = 0;
    for (const service of SERVICES[options.name] ?? ['api']) {
      const program = commandOf(from, env, { service, name: options.name, args: options.args });
      exitCode = Math.max(exitCode, await runInTerminal(program, signal));
    }
    return exitCode;
  } finally {
    await postgres?.stop();
  }
}

function runInTerminal(
  { script, args = [], cwd, env }: Program,
  signal: AbortSignal,
): Promise<number> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [script, ...args], { cwd, env, stdio: 'inherit' });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code ?? 1);
    });
  });
}
