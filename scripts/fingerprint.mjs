import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { Failure } from './failure.mjs';

const SKIPPED = new Set(['node_modules', 'dist', 'dist-types', 'dist-ssr', '.cache']);

/** Hashes the names and contents of these files and folders. Missing paths count as absent. */
export function fingerprint(root, paths, also = []) {
  const hash = createHash('sha256');
  for (const fact of also) hash.update(`${fact}\0`);
  for (const path of paths.flatMap((name) => listFiles(join(root, name)))) {
    hash.update(`${relative(root, path)}\0`);
    hash.update(existsSync(path) ? readFileSync(path) : 'absent');
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Runs `work` unless it has succeeded with this fingerprint and its outputs still exist. Throws a
 * Failure if it has to run in a folder that cannot be written.
 */
export async function unlessDone({ root, name, print, outputs }, work) {
  const file = join(root, '.cache/steps', name);
  const isDone = existsSync(file) && readFileSync(file, 'utf8') === print;
  if (isDone && outputs.every((path) => existsSync(join(root, path)))) return;
  refuseReadOnly(root);
  rmSync(file, { force: true });
  await work();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, print);
}

function refuseReadOnly(root) {
  try {
    accessSync(root, constants.W_OK);
  } catch (cause) {
    throw new Failure(
      `The folder ${root} cannot be written (${cause.code}): use a copy of the sources that you own.`,
      { cause },
    );
  }
}

/**
 * Lists a folder's files in a fixed order, without built or installed files. A file is its own
 * list.
 */
export function listFiles(path) {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !SKIPPED.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listFiles(join(path, entry.name)) : [join(path, entry.name)],
    );
}
