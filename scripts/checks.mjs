import { join } from 'node:path';

import { ROOT } from './settings.mjs';
import { runQuietly } from './tool.mjs';
import { findUnlinted } from './unlinted.mjs';

// The type-aware linter and the compiler are written in Go. Collecting garbage less often saves a
// third of their short runs.
const FEW_COLLECTIONS = { GOGC: '800' };

/** The programs to which no other refers. The last program has every file. */
const PROGRAMS = ['services/api', 'services/worker', 'web', 'e2e', 'bench', '.'];

const CHECKS = [
  { name: 'format', command: ['oxfmt', '--check', '.'], remedy: 'Run "npx oxfmt ." to fix it.' },
  {
    name: 'lint',
    command: ['oxlint', '--type-aware', '--deny-warnings'],
    env: FEW_COLLECTIONS,
    isByFolder: true,
  },
  { name: 'types', command: ['tsc', '-b', ...PROGRAMS], env: FEW_COLLECTIONS },
  {
    name: 'dead code',
    command: ['knip', '--no-progress', '--cache', '--cache-location', '.cache/knip'],
  },
];

/**
 * Runs all checks in parallel, or `only` one. Prints their results, then the output of failed
 * checks.
 */
export async function runChecks({ signal, only }) {
  const unlinted = findUnlinted(ROOT);
  const chosen = CHECKS.filter(({ name }) => only === undefined || only === name);
  const results = await Promise.all(chosen.map((check) => runCheck(check, unlinted, signal)));
  for (const { name, isGood, output, remedy } of results) {
    if (!isGood)
      console.log(`\n── ${name} ──\n${[output.trimEnd(), remedy].filter(Boolean).join('\n')}`);
  }
  return results;
}

async function runCheck(
  { name, command: [program, ...args], env, remedy, isByFolder },
  unlinted,
  signal,
) {
  const since = performance.now();
  const command = [
    join(ROOT, 'node_modules/.bin', program),
    ...args,
    ...(isByFolder ? unlinted.folders : []),
  ];
  const isNeeded = !isByFolder || unlinted.folders.length > 0;
  const { code, output } = isNeeded
    ? await runQuietly({ command, cwd: ROOT, signal, env })
    : { code: 0, output: '' };
  const isGood = code === 0;
  if (isGood && isByFolder) unlinted.remember();
  const took = `${((performance.now() - since) / 1000).toFixed(1)} s`;
  console.log(
    `  ${isGood ? '✓' : '✗'} ${name.padEnd(10)} ${isNeeded ? took : 'nothing has changed'}`,
  );
  return { name, isGood, output, remedy };
}
