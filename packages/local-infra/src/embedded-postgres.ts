import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { StartFailure, toErrorCode, toMessage } from './failure.ts';
import { findFreePort } from './free-port.ts';
import { rotateLogFile } from './log-file.ts';
import { findPostgresBinaries } from './postgres/binaries.ts';
import type { PostgresBinaries } from './postgres/binaries.ts';
import { ensureCluster, readPassword, SUPERUSER } from './postgres/cluster.ts';
import { clearLeftovers, isPostgresOn, readPostmaster } from './postgres/leftovers.ts';
import { chooseSystemUser } from './postgres/system-user.ts';
import type { SystemUser } from './postgres/system-user.ts';
import { waitUntil } from './wait-until.ts';

export type EmbeddedPostgres = {
  url: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>;
  /**
   * Stops it. Running statements are rolled back; committed data is on disk. Safe to call twice.
   */
  stop(): Promise<void>;
};

export type PostgresOptions = {
  /** Created on first use. Later starts reuse its data. */
  dataDir: string;
  /** Defaults to a free port. */
  port?: number;
  /** The server appends its log here. */
  logFile: string;
  /** Turns off protection against power cuts, for disposable data. */
  forTests?: boolean;
  signal?: AbortSignal;
};

/*
 * Shuts Postgres down when its standard input closes: on request, and when the process that started
 * it is killed, so that nothing is left running.
 */
const GUARD = `exec 3<&0
"$@" </dev/null 3<&- & server=$!
( read -r line; kill -INT $server ) <&3 >/dev/null 2>&1 & guard=$!
exec 3<&-
wait $server; code=$?
kill $guard 2>/dev/null
exit $code`;

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 20_000;
const PREDECESSOR_DEADLINE_MS = 15_000;

/** Starts Postgres on a data folder. Cleans up after an earlier run that was killed. */
export async function startEmbeddedPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  makeFolder(dirname(dataDir));
  rotateLogFile(options.logFile);
  const binaries = await findPostgresBinaries();
  const user = chooseSystemUser(dataDir, binaries.postgres);
  await ensureCluster(dataDir, binaries, user, options.signal);
  await clearLeftovers(dataDir);
  options.signal?.throwIfAborted();

  const deadline = performance.now() + PREDECESSOR_DEADLINE_MS;
  for (;;) {
    const port = options.port ?? (await findFreePort());
    try {
      return await startServer({ ...options, dataDir, port }, binaries, user);
    } catch (error) {
      // The children of a killed server take a moment to end, and another program may have taken
      // the port meanwhile.
      const mayPass = /still in use|could not create any TCP/.test(toMessage(error));
      if (!mayPass || performance.now() > deadline) throw error;
      await sleep(250, undefined, options.signal && { signal: options.signal });
    }
  }
}

async function startServer(
  options: PostgresOptions & { port: number },
  binaries: PostgresBinaries,
  user: SystemUser,
): Promise<EmbeddedPostgres> {
  const { dataDir, port } = options;
  const log = openSync(options.logFile, 'a');
  const flags = toFlags(dataDir, port, options.forTests ?? false);
  const { command, args, ids } = user.call('/bin/sh', [
    '-c',
    GUARD,
    'postgres',
    binaries.postgres,
    ...flags,
  ]);
  const child = spawn(command, args, {
    ...ids,
    // In its own process group, so that Ctrl-C does not end the database before its clients.
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  const ended = new Promise<void>((done) => {
    child.once('error', () => done());
    child.once('exit', () => done());
  });

  const stop = () => stopServer(child, dataDir, ended);
  try {
    await waitUntilReady(child, dataDir, options);
  } catch (error) {
    await stop();
    throw error;
  }
  const password = readPassword(dataDir);
  const pid = readPostmaster(dataDir)?.pid ?? 0;
  return {
    url: `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid,
    ended,
    stop,
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new StartFailure(
      `The data folder ${path} cannot be written (${toErrorCode(cause)}): set DATA_DIR.`,
      {
        cause,
      },
    );
  }
}

function toFlags(dataDir: string, port: number, forTests: boolean): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    // No socket file: nothing uses it, and its folder may belong to another user.
    'unix_socket_directories=',
    'max_connections=500',
    'timezone=UTC',
    'log_timezone=UTC',
    // The text of an error may quote a row. The process that caused it logs the error without its
    // values.
    'log_min_messages=log',
    ...(forTests ? ['fsync=off', 'full_page_writes=off', 'autovacuum=off'] : []),
  ];
  return ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
}

async function waitUntilReady(
  child: ChildProcess,
  dataDir: string,
  options: PostgresOptions,
): Promise<void> {
  const hasEnded = () =>
    child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  const settled = await waitUntil(
    () => hasEnded() || options.signal?.aborted === true || isReady(dataDir),
    START_DEADLINE_MS,
  );
  options.signal?.throwIfAborted();
  if (!settled)
    throw new StartFailure(`Postgres was not ready after a minute: see ${options.logFile}.`);
  if (hasEnded())
    throw new StartFailure(`Postgres did not start: ${readLastFailure(options.logFile)}`);
}

// The pid file of a killed predecessor also says ready, so the process itself is checked.
function isReady(dataDir: string): boolean {
  const state = readPostmaster(dataDir);
  return state !== undefined && state.ready && isPostgresOn(state.pid, dataDir);
}

function readLastFailure(logFile: string): string {
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  const failure =
    lines.findLast((line) => /FATAL|PANIC|error while loading|not found/i.test(line)) ??
    lines.at(-1);
  return `${failure?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? 'no reason given'} (${logFile})`;
}

async function stopServer(
  child: ChildProcess,
  dataDir: string,
  ended: Promise<void>,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  let hasEnded = false;
  const end = ended.then(() => (hasEnded = true));
  child.stdin?.end();
  if (await waitUntil(() => hasEnded, STOP_DEADLINE_MS)) return;
  await clearLeftovers(dataDir);
  child.kill('SIGKILL');
  await end;
}
