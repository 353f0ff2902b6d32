import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux keeps files in memory. A database is cloned there in a tenth of the time that a disk takes. */
const MEMORY = '/dev/shm';
/** With less room than this the disk is taken: containers often have a few MiB there. */
const ENOUGH_BYTES = 2 * 1024 ** 3;
const ABANDONED_MS = 24 * 3_600_000;

const PREFIX = 'site-test-';

export type TestFolder = { path: string; remove: () => void };

/** A folder of its own for servers that a test starts, which Postgres' user may enter too. In memory where there is room, unless a disk is what it is about. */
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

/** What a killed run left behind would take memory until the machine is started again. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const path = join(base, name);
    try {
      if (name.startsWith(PREFIX) && Date.now() - statSync(path).mtimeMs > ABANDONED_MS) {
        rmSync(path, { recursive: true, force: true });
      }
    } catch {
      // Somebody else's, or somebody else was quicker.
    }
  }
}
