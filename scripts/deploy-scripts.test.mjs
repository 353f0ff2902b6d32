import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { test as base, expect, onTestFinished } from 'vitest';

import { ROOT } from './settings.mjs';

/** Runs a script of deploy/ where `docker` only leaves a trace. */
const test = base.extend('run', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'no-docker-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const trace = join(folder, 'called');
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho "$@" >> ${trace}\nexit 1\n`, { mode: 0o755 });
  return (script, ...args) => {
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
    const path = join(ROOT, 'deploy', script);
    const [command, ...first] = script.endsWith('.mjs') ? [process.execPath, path] : [path];
    const { status, stdout, stderr } = spawnSync(command, [...first, ...args], { env, encoding: 'utf8' });
    return { status, stdout, stderr, hasRun: existsSync(trace) };
  };
});

const SCRIPTS = ['backup.sh', 'backup-off-site.sh', 'restore.sh', 'rolling-update.sh', 'drills/run.mjs'];

test.for(
  SCRIPTS.flatMap((script) => [
    [script, '--help'],
    [script, '-h'],
    [script, 'x', '--help'],
  ]),
)('%s %s %s explains itself and runs nothing', ([script, ...args], { run }) => {
  expect(run(script, ...args)).toEqual({
    status: 0,
    stdout: expect.stringMatching(/deploy|npm/),
    stderr: '',
    hasRun: false,
  });
});

test.for([
  ['backup.sh'],
  ['backup.sh', '-f', 'docker-compose.yml'],
  ['backup.sh', 'site.dump', '--hlep'],
  ['backup.sh', 'site.dump', '-f'],
  ['backup-off-site.sh'],
  ['backup-off-site.sh', 'offsite:site'],
  ['backup-off-site.sh', 'offsite:site', 'backup.pub', '--hlep'],
  ['restore.sh'],
  ['restore.sh', 'site.dump', 'other.dump'],
  ['rolling-update.sh', '--hlep'],
  ['rolling-update.sh', 'docker-compose.yml'],
  ['drills/run.mjs', 'everything'],
])('%j is refused, explained, and runs nothing', ([script, ...args], { run }) => {
  expect(run(script, ...args)).toMatchObject({ status: 2, stdout: '', hasRun: false });
  expect(run(script, ...args).stderr).toMatch(/deploy\/|npm run/);
});

test('right arguments reach docker compose', ({ run }) => {
  expect(run('rolling-update.sh', '-f', 'docker-compose.yml')).toMatchObject({ status: 1, hasRun: true });
});

test.for([
  [['rclone'], 'backup.pub', 'age is missing'],
  [['age'], 'backup.pub', 'rclone is missing'],
  [['age', 'rclone'], 'nowhere.pub', 'no public key of age in nowhere.pub'],
])('an off-site backup with only %j and the key %s says that %s, and runs nothing', ([programs, key, said]) => {
  const folder = mkdtempSync(join(tmpdir(), 'no-programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const program of ['bash', 'dirname']) symlinkSync(`/usr/bin/${program}`, join(folder, program));
  for (const program of programs) writeFileSync(join(folder, program), '#!/bin/bash\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(folder, 'docker'), `#!/bin/bash\necho > ${join(folder, 'called')}\n`, { mode: 0o755 });

  const args = ['remote:site', key, '-f', 'docker-compose.yml'];
  const { status, stderr } = spawnSync(join(ROOT, 'deploy/backup-off-site.sh'), args, {
    cwd: folder,
    env: { PATH: folder },
    encoding: 'utf8',
  });

  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(said) });
  expect(existsSync(join(folder, 'called'))).toBe(false);
});
