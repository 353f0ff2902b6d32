import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { StartFailure, toErrorCode } from '../failure.ts';
import { waitUntil } from '../wait-until.ts';

/** The server's state in its data folder. `ready` means that it accepts connections. */
export type PostmasterState = { pid: number; port: number; ready: boolean };

const PID_LINE = 0;
const PORT_LINE = 3;
const STATUS_LINE = 7;

/** Reads `postmaster.pid`. Returns undefined if the file does not exist. */
export function readPostmaster(dataDir: string): PostmasterState | undefined {
  const path = join(dataDir, 'postmaster.pid');
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, 'utf8').split('\n');
  return {
    pid: Number(lines[PID_LINE]),
    port: Number(lines[PORT_LINE]),
    ready: lines[STATUS_LINE]?.trim() === 'ready',
  };
}

const STOP_SIGNALS = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
] as const;

/**
 * Stops a server that a killed run left on this folder. Removes a `postmaster.pid` whose pid now
 * belongs to another process (usual after a container restart), because Postgres would take it for
 * a running server. If the process is gone, the file stays: Postgres itself checks that the
 * server's children have ended.
 */
export async function clearLeftovers(dataDir: string): Promise<'none' | 'stopped' | 'removed'> {
  const left = readPostmaster(dataDir);
  if (left === undefined || !isAlive(left.pid)) return 'none';
  if (!isPostgresOn(left.pid, dataDir)) {
    rmSync(join(dataDir, 'postmaster.pid'), { force: true });
    return 'removed';
  }
  for (const [signal, patienceMs] of STOP_SIGNALS) {
    signalProcess(left.pid, signal);
    if (await waitUntil(() => !isPostgresOn(left.pid, dataDir), patienceMs)) return 'stopped';
  }
  throw new StartFailure(
    `Process ${left.pid} still uses ${dataDir} and cannot be stopped: end it and start again.`,
  );
}

/** Returns true if this process is a Postgres running on this folder. */
export function isPostgresOn(pid: number, dataDir: string): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  const command = readCommand(pid);
  return command.includes('postgres') && command.includes(dataDir);
}

function readCommand(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline'))
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return toErrorCode(error) === 'EPERM';
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended or is not ours. The caller checks again.
  }
}
