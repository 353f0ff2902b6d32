import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { StartFailure } from '../failure.ts';

type Ids = { uid: number; gid: number };

/** Who runs Postgres: `owner` where that is somebody else than us, and how one of its programs is then called. */
export type SystemUser = {
  owner?: Ids;
  call(program: string, args: string[]): { command: string; args: string[]; ids: Ids | Record<string, never> };
};

/**
 * Postgres refuses to run as root. As root the owner of existing data is taken, else the system user `postgres`, which
 * is created where it is missing. Anybody else runs Postgres as themselves.
 */
export function chooseSystemUser(dataDir: string, programPath: string): SystemUser {
  if (process.getuid?.() !== 0) return { call: (command, args) => ({ command, args, ids: {} }) };
  const owner = ownerOf(dataDir) ?? findUser('postgres') ?? createUser('postgres');
  const obstacles = [dirname(dataDir), dirname(programPath)].filter((folder) => !isReachable(folder));
  if (obstacles.length === 0) return { owner, call: (command, args) => ({ command, args, ids: owner }) };
  const { setpriv, options } = passThroughClosedFolders(owner, obstacles);
  return { owner, call: (program, args) => ({ command: setpriv, args: [...options, program, ...args], ids: {} }) };
}

function ownerOf(path: string): Ids | undefined {
  if (!existsSync(path)) return undefined;
  const { uid, gid } = statSync(path);
  return uid === 0 ? undefined : { uid, gid };
}

function findUser(name: string): Ids | undefined {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

function createUser(name: string): Ids {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', name], { stdio: 'pipe' });
  } catch {
    // Without useradd (Alpine) the account that every system has will do.
  }
  const user = findUser(name) ?? findUser('nobody');
  if (user === undefined) {
    throw new StartFailure('Postgres cannot run as root and no other user was found: run as an ordinary user.');
  }
  return user;
}

function isReachable(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(path) && (statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

// A clone in /root lies behind a folder that only root may enter. Rather than open that folder to everybody, Postgres
// keeps the one capability that walks past it.
function passThroughClosedFolders(owner: Ids, obstacles: string[]): { setpriv: string; options: string[] } {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable);
  if (setpriv === undefined) {
    throw new StartFailure(
      `Postgres cannot run as root, and no other user may enter ${obstacles.join(' or ')}: ` +
        'run as an ordinary user, move the folder, or set DATABASE_URL.',
    );
  }
  const ids = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // Without it access(2), with which initdb looks for its neighbours, does not count capabilities.
  return { setpriv, options: [...ids, ...capabilities, '--securebits=+no_setuid_fixup'] };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
