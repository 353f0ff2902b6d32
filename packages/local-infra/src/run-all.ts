import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { toMessage } from './failure.ts';
import { findFreePort } from './free-port.ts';
import { keepRunning } from './supervisor/keep-running.ts';
import type { KeptPart, Part } from './supervisor/keep-running.ts';
import {
  apiCommand,
  apiPart,
  postgresPart,
  sandboxPart,
  valkeyPart,
  webPart,
  workerPart,
} from './supervisor/parts.ts';
import { runOnce } from './supervisor/run-once.ts';
import { toStartBlock } from './supervisor/start-block.ts';
import { readEnvironment, toServiceEnv } from './supervisor/environment.ts';
import type { Env, Environment } from './supervisor/environment.ts';
import { createTerminal } from './supervisor/terminal.ts';

export type RunOptions = {
  rootDir: string;
  dataDir: string;
  env: Env;
  /** Stops everything, at any point of the start. */
  signal: AbortSignal;
  /** Called with the connections and ports, so that a one-shot command can find them. */
  onConnections(connections: {
    databaseUrl: string;
    redisUrl: string;
    siteUrl: string;
    sandboxUrl: string;
    ports: { PORT: string; WORKER_PORT: string; SANDBOX_PORT: string };
  }): void;
  /** Run from source and reload on changes. */
  isDev?: boolean;
};

/**
 * Runs the whole product until `signal` aborts: databases, sandbox, API, worker. Resolves when
 * everything has ended. If something cannot start, stops the rest and rejects with a
 * `StartFailure`.
 *
 * @public The start script imports the built file.
 */
export async function runAll(options: RunOptions): Promise<void> {
  const terminal = createTerminal(process.stdout);
  const isDev = options.isDev === true;
  const site = readEnvironment(options.rootDir, options.dataDir, options.env, isDev);
  // In development Vite serves the site's URL and the API gets a free port.
  const from = isDev ? { ...site, ports: { ...site.ports, api: await findFreePort() } } : site;
  // Stops the starting parts when another part fails.
  const givingUp = new AbortController();
  const signal = AbortSignal.any([options.signal, givingUp.signal]);
  const started: Promise<KeptPart | void>[] = [];
  const step = (title: string, work: () => Promise<KeptPart | void>) => {
    signal.throwIfAborted();
    const done = terminal.step(title, work);
    started.push(done);
    return done;
  };
  const keep = (title: string, part: Part) => step(title, () => keepRunning(part, terminal));

  try {
    const postgres = from.env['DATABASE_URL'] ? undefined : postgresPart(from, signal);
    const valkey = from.env['REDIS_URL'] ? undefined : valkeyPart(signal);
    await Promise.all([
      postgres && keep('Postgres', postgres.part),
      valkey && keep('Valkey', valkey.part),
    ]);
    const connections = {
      databaseUrl: postgres?.url() ?? from.env['DATABASE_URL'] ?? '',
      redisUrl: valkey?.url() ?? from.env['REDIS_URL'] ?? '',
    };
    const sandboxUrl = `http://127.0.0.1:${from.ports.sandbox}`;
    options.onConnections({
      ...connections,
      siteUrl: `http://${site.host}:${site.ports.api}`,
      sandboxUrl,
      ports: {
        PORT: String(site.ports.api),
        WORKER_PORT: String(site.ports.worker),
        SANDBOX_PORT: String(site.ports.sandbox),
      },
    });

    const env: Env = {
      ...toServiceEnv(from, connections),
      // The embedded Valkey listens only on this machine.
      ...(valkey && { ALLOW_EMPTY_REDIS_PASSWORD: 'true' }),
      ...(isDev && toDevEnv(site, from.ports.api)),
    };
    // In a file until it was shown, so that it is not lost if a later step of the first start
    // fails.
    const loginFile = join(options.dataDir, 'first-login');
    const migrate = apiCommand(from, env, 'migrate', ['--login-file', loginFile]);
    const migrated = step('Migrations', () => runOnce('The migration', migrate, signal));
    const hasSandbox = env['NODE_ENV'] !== 'production';
    const sandbox =
      hasSandbox &&
      keep('Sandbox', sandboxPart(from, env, { migrated, say: terminal.say, signal }));
    await Promise.all([migrated, sandbox]);
    await Promise.all([
      keep('API', apiPart(from, env, terminal.say, signal)),
      keep('Worker', workerPart(from, env, terminal.say, signal)),
    ]);
    if (isDev)
      await keep('Web app', webPart(from, { env, port: site.ports.api }, terminal.say, signal));
    terminal.say(toStartBlock(site, { login: takeLogin(loginFile), hasSandbox }));
    await untilAborted(signal);
    terminal.say('\nStopping …');
  } catch (error) {
    if (!options.signal.aborted) throw error;
  } finally {
    givingUp.abort();
    for (const starting of started.toReversed()) {
      const part = await starting.catch(() => undefined);
      // A part that fails to stop must not prevent stopping the others.
      await part
        ?.stop()
        .catch((error: unknown) => terminal.say(`${part.name}: ${toMessage(error)}`));
    }
  }
}

/** The API listens on another port but keeps the site's public URL. */
function toDevEnv(site: Environment, apiPort: number): Env {
  const publicUrl = site.env['PUBLIC_URL'] || `http://${site.host}:${site.ports.api}`;
  return { PORT: String(apiPort), PUBLIC_URL: publicUrl };
}

function takeLogin(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const login = readFileSync(file, 'utf8').trim();
  rmSync(file);
  return login;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
