import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { StartFailure, toErrorCode } from '../failure.ts';
import type { PostgresBinaries } from './binaries.ts';
import type { SystemUser } from './system-user.ts';

export const SUPERUSER = 'postgres';
const PASSWORD_FILE = 'superuser-password';

/**
 * Creates the data folder if it does not exist. Works in a staging folder that is renamed when
 * complete, so that a first start killed halfway leaves nothing that looks like a database.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  user: SystemUser,
  signal?: AbortSignal,
): Promise<void> {
  if (existsSync(dataDir)) {
    checkIsOurs(dataDir, binaries);
    return;
  }
  const staging = join(dirname(dataDir), `${basename(dataDir)}.new`);
  const cluster = join(staging, 'cluster');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o755 });
  const passwordFile = join(staging, PASSWORD_FILE);
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  if (user.owner)
    for (const path of [staging, cluster, passwordFile])
      chownSync(path, user.owner.uid, user.owner.gid);
  await runInitdb(cluster, passwordFile, binaries, user, signal);
  renameSync(passwordFile, join(cluster, PASSWORD_FILE));
  renameSync(cluster, dataDir);
  rmSync(staging, { recursive: true, force: true });
}

/** Reads the superuser's password, which is stored with the data. */
export function readPassword(dataDir: string): string {
  return readFileSync(join(dataDir, PASSWORD_FILE), 'utf8').trim();
}

function checkIsOurs(dataDir: string, binaries: PostgresBinaries): void {
  const names = listNames(dataDir);
  if (!names.includes(PASSWORD_FILE) || !names.includes('PG_VERSION')) {
    throw new StartFailure(
      `${dataDir} exists but is not a database of this program: move it away.`,
    );
  }
  const made = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  const ours = /PostgreSQL\)? (\d+)/.exec(
    execFileSync(binaries.postgres, ['--version'], { encoding: 'utf8' }),
  )?.[1];
  if (made !== ours) {
    throw new StartFailure(
      `${dataDir} was made by Postgres ${made} and this is Postgres ${ours}: ` +
        'move the folder away to start empty. To keep its data, run it with Postgres ' +
        `${made} and copy it with pg_dump.`,
    );
  }
}

function listNames(dataDir: string): string[] {
  try {
    return readdirSync(dataDir);
  } catch (cause) {
    throw new StartFailure(
      `${dataDir} cannot be read (${toErrorCode(cause)}): run as its owner, or set DATA_DIR.`,
      {
        cause,
      },
    );
  }
}

async function runInitdb(
  cluster: string,
  passwordFile: string,
  binaries: PostgresBinaries,
  user: SystemUser,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { command, args, ids } = user.call(binaries.initdb, [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    // Plain C changes the case of ASCII only. This provider handles every script, as in the images.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // The folder is only used under its final name, so an incomplete write only costs a second
    // attempt.
    '--no-sync',
  ]);
  const child = spawn(command, args, {
    ...ids,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', stop);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => signal?.removeEventListener('abort', stop));
  signal?.throwIfAborted();
  if (code !== 0)
    throw new StartFailure(
      `Postgres could not create its data folder ${cluster}: ${lastSentence(said)}`,
    );
}

function lastSentence(text: string): string {
  const lines = text.trim().split('\n');
  return lines.find((line) => /error|fatal/i.test(line)) ?? lines.at(-1) ?? 'no reason given';
}
