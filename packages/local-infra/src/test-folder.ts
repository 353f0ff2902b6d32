import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's in-memory folder. Cloning a database there takes a tenth of the time on disk. */
const MEMORY = '/dev/shm';
/** The free space needed in memory. Containers often have only a few MiB there. */
const ENOUGH_BYTES = 2 * 1024 ** 3;
const ABANDONED_MS = 24 * 3_600_000;

const PREFIX = 'site-test-';

export type TestFolder = { path: string; remove: () => void };

/**
 * Creates a folder for the servers of a test, readable by Postgres' user. In memory if there is
 * room and `place` allows it.
 */
export function makeTestFolder(place: 'memory' | 'disk' = 'memory'): TestFolder {
  const base = place === 'memory' && hasRoom(MEMORY) ? MEMORY : tmpdir();
  if (base === MEMORY) removeAbandoned(base);
  const path = mkdtempSync(join(base, PREFIX));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Removes folders of killed runs, which would otherwise take up memory until a reboot. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const path = join(base, name);
    try {
      if (name.startsWith(PREFIX) && Date.now() - statSync(path).mtimeMs > ABANDONED_MS) {
        rmSync(path, { recursive: true, force: true });
      }
    } catch {
      // It belongs to another user, or another process removed it first.
    }
  }
}
