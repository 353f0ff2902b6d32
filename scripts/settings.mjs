import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Failure } from './failure.mjs';

export const ROOT = resolve(fileURLToPath(new URL('..', import.meta.url)));

/** Adds the root's `.env` to the environment. Variables already set take precedence. */
export function loadEnvFile() {
  const path = join(ROOT, '.env');
  if (!existsSync(path)) return;
  try {
    process.loadEnvFile(path);
  } catch (cause) {
    throw new Failure(`${path} cannot be read (${cause.code ?? cause.message}).`, { cause });
  }
}

/** Returns the absolute path of the folder for data, logs and the record of a running start. */
export function dataFolderPath(env = process.env) {
  return resolve(ROOT, env.DATA_DIR || '.data');
}

export function readManifest() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
}
