import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { test as base, expect, onTestFinished } from 'vitest';

import { ROOT } from './settings.mjs';

/** Runs a script of deploy/ with a `docker` that only logs its calls. */
const test = base.extend('run', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'no-docker-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const trace = join(folder, 'called');
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho "$@" >> ${trace}\nexit 1\n`, {
    mode: 0o755,
  });
  const runIn = (cwd, settings, script, ...args) => {
    const env = { ...process.env, ...settings, PATH: `${folder}:${process.env.PATH}` };
    const path = join(ROOT, 'deploy', script);
    const [command, ...first] = script.endsWith('.mjs') ? [process.execPath, path] : [path];
    const { status, stdout, stderr } = spawnSync(command, [...first, ...args], {
      cwd,
      env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr, hasRun: existsSync(trace) };
  };
  return Object.assign((...args) => runIn(process.cwd(), {}, ...args), { in: runIn });
});

const SCRIPTS = [
  'backup.sh',
  'keep-settings.sh',
  'make-archive.sh',
  'restore.sh',
  'rolling-update.sh',
  'drills/run.mjs',
];

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
  ['keep-settings.sh'],
  ['keep-settings.sh', '--open', 'site.enc', '.env'],
  ['make-archive.sh', '0.3.0', 'images.txt'],
  ['make-archive.sh', '../0.3.0', 'images.txt', '.'],
  ['restore.sh', '--hlep'],
  ['restore.sh', 'site.dump', 'other.dump'],
  ['rolling-update.sh', '--hlep'],
  ['rolling-update.sh', 'docker-compose.yml'],
  ['drills/run.mjs', 'everything'],
])('%j is refused, explained, and runs nothing', ([script, ...args], { run }) => {
  expect(run(script, ...args)).toMatchObject({ status: 2, stdout: '', hasRun: false });
  expect(run(script, ...args).stderr).toMatch(/deploy\/|npm run/);
});

test('settings, secrets and own compose files come back from the encrypted file', ({ run }) => {
  const [from, to] = ['from-', 'to-'].map((name) => mkdtempSync(join(tmpdir(), name)));
  onTestFinished(() => [from, to].forEach((folder) => rmSync(folder, { recursive: true })));
  mkdirSync(join(from, 'secrets'));
  writeFileSync(join(from, 'secrets/redis_conf'), 'requirepass of-the-test');
  writeFileSync(join(from, 'own.yml'), 'services: {}');
  writeFileSync(join(from, '.env'), 'COMPOSE_FILE=docker-compose.yml:deploy/a.yml:own.yml\n');
  writeFileSync(join(from, 'passphrase'), 'right');
  writeFileSync(join(from, 'wrong'), 'wrong');
  const file = join(from, 'site.enc');
  const keep = (cwd, passphrase, ...args) =>
    run.in(cwd, { KEEP_PASSPHRASE_FILE: join(from, passphrase) }, 'keep-settings.sh', ...args);

  expect(keep(from, 'passphrase', file)).toMatchObject({ status: 0, hasRun: true });
  expect(readFileSync(file, 'utf8')).not.toContain('of-the-test');
  expect(keep(to, 'wrong', '--open', file)).toMatchObject({ status: 1 });
  expect(readdirSync(to)).toEqual([]);
  expect(keep(to, 'passphrase', '--open', file)).toMatchObject({ status: 0 });
  expect(readdirSync(to).sort()).toEqual(['.env', 'own.yml', 'secrets']);
  expect(readFileSync(join(to, 'secrets/redis_conf'), 'utf8')).toBe('requirepass of-the-test');
  expect(keep(to, 'passphrase', '--open', file).stderr).toContain('has a .env already');
});

test('the health check of Postgres leaves no process to Postgres', () => {
  const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');

  expect(compose).toMatch(/test:\s+\[\s*CMD,\s+\S+pg_isready,/);
});

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const OURS = ['api', 'worker', 'proxy', 'postgres'].map(
  (name) => `${name} ghcr.io/owner/name/${name}:0.3.0@${DIGEST}`,
);

/** Makes an archive with these images, and unpacks it into an empty folder. */
function makeArchive(images) {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'images.txt'), `${images.join('\n')}\n`);
  const args = [
    '0.3.0',
    join(folder, 'images.txt'),
    folder,
    'https://forge.example/owner/name/blob/v0.3.0',
  ];
  const { status, stderr } = spawnSync(join(ROOT, 'deploy/make-archive.sh'), args, {
    encoding: 'utf8',
  });
  if (status === 0) spawnSync('tar', ['-xzf', join(folder, 'site-0.3.0.tar.gz'), '-C', folder]);
  const root = join(folder, 'site-0.3.0');
  return { status, stderr, root, read: (path) => readFileSync(join(root, path), 'utf8') };
}

test('the archive of a release needs no sources, and names every image by its digest', () => {
  const { status, stderr, root, read } = makeArchive(OURS);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });

  const files = readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.yml'));
  const images = files.flatMap((path) =>
    [...read(path).matchAll(/^ *(?:- )?image: (.+)$/gm)].map(([, image]) => image),
  );
  expect(images.length).toBeGreaterThan(10);
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}}?$/.test(image))).toEqual([]);
  expect(read('docker-compose.yml')).not.toMatch(/\bbuild:|IMAGE_PREFIX|PULL_POLICY:-never/);
  expect(read('deploy/monitoring/alerts.yml')).toContain(
    'runbook_url: https://forge.example/owner/name/blob/v0.3.0/docs/alerts/no-worker.md',
  );

  const mounted = files.flatMap((path) =>
    [...read(path).matchAll(/^ *- (?:\$\{\w+:-)?(\.\/deploy\/[^:}]+)/gm)].map(([, mount]) => mount),
  );
  const scripts = ['docs/update.md', 'docs/backup.md'].flatMap((path) =>
    [...read(path).matchAll(/^\S*?(deploy\/[\w.-]+\.(?:sh|sql))/gm)].map(([, script]) => script),
  );
  expect(mounted.length).toBeGreaterThan(4);
  expect(scripts.length).toBeGreaterThan(2);
  expect(
    [...mounted, ...scripts, 'docs/alerts/no-worker.md'].filter(
      (path) => !existsSync(join(root, path)),
    ),
  ).toEqual([]);
});

test('no link in the archive’s documents leads out of it', () => {
  const { root, read } = makeArchive(OURS);

  const pages = readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.md'));
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)/g)].map(([, link]) =>
      join(dirname(page), link),
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('an archive in which an image is not pinned is not made', () => {
  const { status, stderr, root } = makeArchive(OURS.slice(1));

  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('${IMAGE_PREFIX:-site}/api'),
  });
  expect(existsSync(root)).toBe(false);
});

test('every setting of the example for Kubernetes is one of .env.example', () => {
  const known = new Set(
    readFileSync(join(ROOT, '.env.example'), 'utf8')
      .match(/^#?[A-Z][A-Z_]+(?==)/gm)
      .map((name) => name.replace('#', '')),
  );
  const folder = join(ROOT, 'deploy/kubernetes');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const used = texts.flatMap((text) =>
    [...text.matchAll(/(?:name: |^ {2})([A-Z][A-Z_]+?)(?:_FILE)?(?:,|:)/gm)].map(
      ([, name]) => name,
    ),
  );

  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});
