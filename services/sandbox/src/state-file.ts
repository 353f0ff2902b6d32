import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const SAVE_DELAY_MS = 300;

export type StateFile = {
  /** Notes a change, to be written soon. */
  touch(): void;
  /** Writes the last changes and stops. */
  close(): Promise<void>;
};

/** Reads the file, if it exists. A file that is not valid JSON is renamed, not overwritten. */
export async function readStateFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    await rename(path, `${path}.unreadable`);
    return undefined;
  }
}

/**
 * Keeps a snapshot on disk. Each write goes to a new file that replaces the old one, so none is
 * left half-written.
 */
export function createStateFile(path: string, snapshot: () => unknown): StateFile {
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let lastWriteMs = 0;
  let isClosed = false;

  async function write(): Promise<void> {
    const startedAt = performance.now();
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify(snapshot()));
    await rename(`${path}.new`, path);
    lastWriteMs = performance.now() - startedAt;
  }

  function save(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    // The folder may have been deleted. The next change tries again.
    writing = writing.then(write).catch(() => {});
    return writing;
  }

  return {
    touch() {
      if (timer || isClosed) return;
      // Under load a large state would otherwise be written constantly.
      timer = setTimeout(() => void save(), Math.max(SAVE_DELAY_MS, lastWriteMs * 20));
      timer.unref();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await save();
    },
  };
}
