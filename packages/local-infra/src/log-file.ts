import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const ROTATE_BYTES = 10 * 1024 * 1024;

/** Appends lines to a file; one that has grown past 10 MiB is set aside, under the name `….1`, before the first. */
export function openLogFile(path: string): (line: string) => void {
  rotateLogFile(path);
  return (line) => appendFileSync(path, `${line}\n`);
}

/** Sets aside a log that has grown large, and makes its folder if need be. */
export function rotateLogFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > ROTATE_BYTES) renameSync(path, `${path}.1`);
}
