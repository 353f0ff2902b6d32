import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { toMessage } from './failure.ts';

const ROTATE_BYTES = 10 * 1024 * 1024;

/**
 * Opens a log file for appending. Renames it to `….1` first if it has grown past 10 MiB. Lines that
 * cannot be written are dropped, and `say` is called once: a full disk must not end the programs
 * that log.
 */
export function openLogFile(path: string, say: (line: string) => void): (line: string) => void {
  rotateLogFile(path);
  let isWritable = true;
  return (line) => {
    try {
      appendFileSync(path, `${line}\n`);
      isWritable = true;
    } catch (error) {
      if (isWritable)
        say(`${path} cannot be written, so its lines are left out: ${toMessage(error)}`);
      isWritable = false;
    }
  };
}

/** Renames a log past 10 MiB, and creates its folder if needed. */
export function rotateLogFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_BYTES) renameSync(path, `${path}.1`);
}
