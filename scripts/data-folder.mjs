import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Failure } from './failure.mjs';

const RUN_FILE = 'running.json';

/** Makes the folder if need be, and fails with a sentence when nothing can be written there. */
function ensureWritable(path) {
  const probe = join(path, `.probe-${process.pid}`);
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw new Failure(`The data folder ${path} cannot be written (${cause.code}): set DATA_DIR to one that can.`, {
      cause,
    });
  }
}

/** What the process that uses this folder now says about itself; undefined when there is none (any more). */
export function readRunning(path) {
  const running = readRunFile(path);
  return running !== undefined && running.identity === identify(running.pid) ? running : undefined;
}

/**
 * Takes the folder for this process alone, with `what` it does. Fails with a sentence while another one has it; what a
 * killed one left behind is taken over. `record` adds to what others can read, `release` gives the folder back.
 */
export function claimDataFolder(path, what) {
  ensureWritable(path);
  const file = join(path, RUN_FILE);
  const mine = { pid: process.pid, identity: identify(process.pid), what };
  const other = readRunning(path);
  if (other !== undefined) throw inUse(path, other);
  // Only one process can create the file; one that was left behind goes first.
  rmSync(file, { force: true });
  try {
    writeFileSync(file, JSON.stringify(mine), { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    if (cause.code === 'EEXIST') throw inUse(path, readRunning(path) ?? mine);
    throw cause;
  }
  return {
    record: (more) => writeFileSync(file, JSON.stringify(Object.assign(mine, more)), { mode: 0o600 }),
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
    // Absent, or cut short by a kill: nobody is there either way.
    return undefined;
  }
}

// A number alone says little: after a crash or a restarted container it may belong to somebody else.
function identify(pid) {
  try {
    if (existsSync('/proc/self/stat')) {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const startedAt = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[19];
      return `${boot}/${pid}/${startedAt}`;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}
