import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const SAVE_DELAY_MS = 300;

export type StateFile = {
  /** Something changed: write before long. */
  touch(): void;
  /** Writes what is not yet written; nothing is written afterwards. */
  close(): Promise<void>;
};

/** What the file holds, or undefined where there is none. One that is no JSON is put aside, not overwritten. */
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

/** Keeps a snapshot on disk: written beside the file and moved over it, so a killed process leaves a whole one. */
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
    // A folder that was deleted under us must not end the process: the next change tries again.
    writing = writing.then(write).catch(() => {});
    return writing;
  }

  return {
    touch() {
      if (timer || isClosed) return;
      // A large state under load would otherwise be written all the time.
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
