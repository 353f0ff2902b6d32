import { join } from 'node:path';

import { startEmbeddedPostgres } from '../embedded-postgres.ts';
import { startEmbeddedValkey } from '../embedded-valkey.ts';
import type { Part } from './keep-running.ts';
import type { Program } from './child.ts';
import { runOnce } from './run-once.ts';
import { serviceToPart } from './service.ts';
import type { Env, Environment } from './environment.ts';

/** Postgres as a part. Restarts reuse its first port. */
export function postgresPart(
  from: Environment,
  signal: AbortSignal,
): { part: Part; url(): string } {
  let port: number | undefined;
  let url = '';
  const start = async () => {
    const server = await startEmbeddedPostgres({
      dataDir: join(from.dataDir, 'postgres'),
      logFile: join(from.dataDir, 'logs', 'postgres.log'),
      ...(port !== undefined && { port }),
      signal,
    });
    ({ port, url } = server);
    return server;
  };
  return { part: { name: 'Postgres', start }, url: () => url };
}

/** Valkey as a part. Restarts reuse its first port. */
export function valkeyPart(signal: AbortSignal): { part: Part; url(): string } {
  let port: number | undefined;
  let url = '';
  const start = async () => {
    const server = await startEmbeddedValkey({ ...(port !== undefined && { port }), signal });
    ({ port, url } = server);
    return server;
  };
  return { part: { name: 'Valkey', start }, url: () => url };
}

/** A one-shot command of a service. */
export function commandOf(
  from: Environment,
  env: Env,
  { service, name, args = [] }: { service: 'api' | 'worker'; name: string; args?: string[] },
): Program {
  const script = join(from.rootDir, 'services', service, 'dist/commands', `${name}.js`);
  return { script, args, cwd: from.rootDir, env };
}

export function apiCommand(
  from: Environment,
  env: Env,
  name: string,
  args: string[] = [],
): Program {
  return commandOf(from, env, { service: 'api', name, args });
}

/**
 * The sandbox keeps its prices in memory, so every start sets them up again, once the database is
 * `migrated`.
 */
export function sandboxPart(
  from: Environment,
  env: Env,
  {
    migrated,
    say,
    signal,
  }: { migrated: Promise<unknown>; say: (line: string) => void; signal: AbortSignal },
): Part {
  // Our processes expect the sandbox here on any host of the site.
  const origin = `http://127.0.0.1:${from.ports.sandbox}`;
  const host = from.host === '127.0.0.1' ? env['HOST'] : '127.0.0.1';
  const usesSandboxStripe =
    !from.env['STRIPE_API_URL'] || from.env['STRIPE_API_URL'].startsWith(origin);
  const setUp = async () => {
    await migrated;
    await runOnce('Stripe set-up', apiCommand(from, env, 'stripe-setup'), signal);
  };
  return serviceToPart(
    {
      ...serviceProgram(from, { ...env, HOST: host }, 'sandbox'),
      readyUrl: `${origin}/`,
      ...(usesSandboxStripe && { afterReady: setUp }),
    },
    say,
    signal,
  );
}

export function apiPart(
  from: Environment,
  env: Env,
  say: (line: string) => void,
  signal: AbortSignal,
): Part {
  const readyUrl = `http://${from.host}:${from.ports.api}/readyz`;
  return serviceToPart({ ...serviceProgram(from, env, 'api'), readyUrl }, say, signal);
}

export function workerPart(
  from: Environment,
  env: Env,
  say: (line: string) => void,
  signal: AbortSignal,
): Part {
  const readyUrl = `http://${from.host}:${from.ports.worker}/readyz`;
  return serviceToPart({ ...serviceProgram(from, env, 'worker'), readyUrl }, say, signal);
}

/** Vite's development server in front of the API, with hot reload. */
export function webPart(
  from: Environment,
  { env, port }: { env: Env; port: number },
  say: (line: string) => void,
  signal: AbortSignal,
): Part {
  return serviceToPart(
    {
      name: 'web',
      script: join(from.rootDir, 'web/node_modules/vite/bin/vite.js'),
      args: ['--port', String(port), '--strictPort', '--host', from.host, '--clearScreen', 'false'],
      cwd: join(from.rootDir, 'web'),
      env: { ...env, API_PORT: String(from.ports.api) },
      logFile: join(from.dataDir, 'logs', 'web.log'),
      readyUrl: `http://${from.host}:${port}/`,
    },
    say,
    signal,
  );
}

function serviceProgram(from: Environment, env: Env, name: 'api' | 'worker' | 'sandbox') {
  const service = {
    name,
    cwd: from.rootDir,
    env,
    logFile: join(from.dataDir, 'logs', `${name}.log`),
  };
  const folder = join(from.rootDir, 'services', name);
  if (!from.isDev) return { ...service, script: join(folder, 'dist/main.js') };
  const watched = [join(folder, 'src/**/*.ts'), join(from.rootDir, 'packages/*/src/**/*.ts')];
  return {
    ...service,
    script: join(from.rootDir, 'node_modules/tsx/dist/cli.mjs'),
    // Folders, because a watched file that git replaces is lost.
    args: [
      'watch',
      '--clear-screen=false',
      ...watched.flatMap((files) => ['--include', files]),
      join(folder, 'src/main.ts'),
    ],
  };
}
