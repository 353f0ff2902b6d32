import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { StartFailure } from '../failure.ts';

type Ids = { uid: number; gid: number };

/**
 * The user that runs Postgres (`owner` if it is not ours), and how to call its programs as that
 * user.
 */
export type SystemUser = {
  owner?: Ids;
  call(
    program: string,
    args: string[],
  ): { command: string; args: string[]; ids: Ids | Record<string, never> };
};

/**
 * Chooses the user that runs Postgres, which refuses to run as root. Root uses the owner of
 * existing data, else the system user `postgres`, which is created if missing. Other users run it
 * as themselves.
 */
export function chooseSystemUser(dataDir: string, programPath: string): SystemUser {
  if (process.getuid?.() !== 0) return { call: (command, args) => ({ command, args, ids: {} }) };
  const owner = ownerOf(dataDir) ?? findUser('postgres') ?? createUser('postgres');
  const obstacles = [dirname(dataDir), dirname(programPath)].filter(
    (folder) => !isReachable(folder),
  );
  if (obstacles.length === 0)
    return { owner, call: (command, args) => ({ command, args, ids: owner }) };
  const { setpriv, options } = passThroughClosedFolders(owner, obstacles);
  return {
    owner,
    call: (program, args) => ({ command: setpriv, args: [...options, program, ...args], ids: {} }),
  };
}

function ownerOf(path: string): Ids | undefined {
  if (!existsSync(path)) return undefined;
  const { uid, gid } = statSync(path);
  return uid === 0 ? undefined : { uid, gid };
}

function findUser(name: string): Ids | undefined {
  try {
    const ask = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

function createUser(name: string): Ids {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', name], {
      stdio: 'pipe',
    });
  } catch {
    // Without useradd (Alpine), `nobody` is used.
  }
  const user = findUser(name) ?? findUser('nobody');
  if (user === undefined) {
    throw new StartFailure(
      'Postgres cannot run as root and no other user was found: run as an ordinary user.',
    );
  }
  return user;
}

function isReachable(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(path) && (statSync(path).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

// A clone in /root is in a folder that only root may enter. Instead of opening it to everyone, this
// gives Postgres the one capability to pass through.
function passThroughClosedFolders(
  owner: Ids,
  obstacles: string[],
): { setpriv: string; options: string[] } {
  const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find(isExecutable);
  if (setpriv === undefined) {
    throw new StartFailure(
      `Postgres cannot run as root, and no other user may enter ${obstacles.join(' or ')}: ` +
        'run as an ordinary user, move the folder, or set DATABASE_URL.',
    );
  }
  const ids = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const capabilities = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  // Otherwise access(2), which initdb uses to find its programs, ignores capabilities.
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
