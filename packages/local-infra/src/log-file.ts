import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ROTATE_BYTES = 10 * 1024 * 1024;

/** Opens a log file for appending. Renames it to `….1` first if it has grown past 10 MiB. */
export function openLogFile(path: string): (line: string) => void {
  rotateLogFile(path);
  return (line) => appendFileSync(path, `${line}\n`);
}

/** Renames a log past 10 MiB, and creates its folder if needed. */
export function rotateLogFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_BYTES) renameSync(path, `${path}.1`);
}
