import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './failure.mjs';

const RUN_FILE = 'running.json';

/** Creates the folder if needed. Throws a Failure if it is not writable. */
function ensureWritable(path) {
  const probe = join(path, `.probe-${process.pid}`);
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw new Failure(
      `The data folder ${path} cannot be written (${cause.code}): set DATA_DIR to another folder.`,
      {
        cause,
      },
    );
  }
}

/** Reads the record of the process that uses this folder. Returns undefined if none is running. */
export function readRunning(path) {
  const running = readRunFile(path);
  return running !== undefined && running.identity === identify(running.pid) ? running : undefined;
}

/**
 * Claims the folder for this process, which runs `what`. Throws a Failure while another process
 * uses the folder. Replaces the record of a killed process. `record` adds details for other
 * processes to read, and `release` ends the claim.
 */
export function claimDataFolder(path, what) {
  ensureWritable(path);
  const file = join(path, RUN_FILE);
  const mine = { pid: process.pid, identity: identify(process.pid), what };
  const other = readRunning(path);
  if (other !== undefined) throw inUse(path, other);
  // Removes a leftover file first. Only one process can then create it.
  rmSync(file, { force: true });
  try {
    writeFileSync(file, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (cause.code === 'EEXIST') throw inUse(path, readRunning(path) ?? mine);
    throw cause;
  }
  return {
    record: (more) =>
      writeFileSync(file, JSON.stringify(Object.assign(mine, more)), { mode: 0o600 }),
    release: () => {
      if (readRunFile(path)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

function inUse(path, { what, pid }) {
  return new Failure(
    `${what} (process ${pid}) already runs on ${path}: stop it first, or set DATA_DIR to another folder.`,
  );
}

function readRunFile(path) {
  try {
    return JSON.parse(readFileSync(join(path, RUN_FILE), 'utf8'));
  } catch {
    // Missing, or incomplete after a kill. Either way no process uses the folder.
    return undefined;
  }
}

// A pid is not enough: after a crash or a container restart it may belong to another process.
function identify(pid) {
  try {
    if (existsSync('/proc/self/stat')) {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const startedAt = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19];
      return `${boot}/${pid}/${startedAt}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  } catch {
    return undefined;
  }
}
