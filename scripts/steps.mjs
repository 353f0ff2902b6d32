import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { fingerprint, unlessDone } from './fingerprint.mjs';
import { readManifest, ROOT } from './settings.mjs';
import { runTool } from './tool.mjs';

// Packages in the local store are not requested again, so a machine without a network does not
// wait.
const PNPM_OPTIONS = [
  '--prefer-offline',
  '--frozen-lockfile',
  '--pm-on-fail=ignore',
  '--config.confirm-modules-purge=false',
];

/** Installs and builds the changes since the last time. Each step prints its duration. */
export async function takeSteps({ signal }) {
  await install({ signal });
  await buildPrograms({ signal });
  await buildSite({ signal });
}

/** Installs the lockfile's packages with the pinned pnpm, which npx fetches. */
export async function install({ signal }) {
  const pnpm = readManifest().packageManager;
  const manifests = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...workspaces().map((w) => `${w}/package.json`),
  ];
  const print = fingerprint(ROOT, manifests, [
    process.versions.modules,
    process.platform,
    process.arch,
  ]);
  await unlessDone(
    { root: ROOT, name: 'install', print, outputs: ['node_modules/.modules.yaml'] },
    () =>
      runTool({
        title: 'Installing packages',
        // npx already runs the pinned version. pnpm's own check of it needs a lockfile entry that
        // pnpm does not write.
        command: [
          'npx',
          '--yes',
          '--prefer-offline',
          `--package=${pnpm}`,
          '-c',
          `exec pnpm install ${PNPM_OPTIONS.join(' ')}`,
        ],
        cwd: ROOT,
        signal,
        advice: 'Check the network and "npm config get registry", then run the same command again.',
      }),
  );
}

/** Builds the programs that Node runs, if their sources have changed. */
export async function buildPrograms({ signal }) {
  const sources = [
    'pnpm-lock.yaml',
    'scripts/bundle.mjs',
    'deploy/check-settings.mjs',
    ...sourcesOf(['packages', 'services']),
  ];
  const outputs = ['services/api/dist/main.js', 'packages/local-infra/dist/run-all.js'];
  await unlessDone(
    { root: ROOT, name: 'programs', print: fingerprint(ROOT, sources), outputs },
    () =>
      runTool({
        title: 'Building API, worker and sandbox',
        command: [process.execPath, 'scripts/bundle.mjs'],
        cwd: ROOT,
        signal,
        advice: 'The lines above show what cannot be built.',
      }),
  );
}

async function buildSite({ signal }) {
  const sources = ['web', 'packages/schema/src', 'pnpm-lock.yaml'];
  await unlessDone(
    {
      root: ROOT,
      name: 'site',
      print: fingerprint(ROOT, sources),
      outputs: ['web/dist/index.html', 'web/dist-ssr/entry-server.js'],
    },
    () =>
      runTool({
        title: 'Building the site',
        command: [join(ROOT, 'web/node_modules/.bin/vite'), 'build'],
        cwd: join(ROOT, 'web'),
        // The test runner's would build React for development.
        env: { NODE_ENV: 'production' },
        signal,
        advice: 'The lines above show what does not build.',
      }),
  );
}

function workspaces() {
  return [...folders('packages'), ...folders('services'), 'web', 'e2e', 'bench'];
}

function sourcesOf(parents) {
  return parents
    .flatMap(folders)
    .flatMap((path) => ['src', 'tsconfig.json', 'package.json'].map((name) => `${path}/${name}`));
}

function folders(parent) {
  return readdirSync(join(ROOT, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${parent}/${entry.name}`);
}
