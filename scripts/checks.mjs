import { join } from 'node:path';

import { ROOT } from './settings.mjs';
import { runQuietly } from './tool.mjs';

const CHECKS = [
  { name: 'format', command: ['oxfmt', '--check', '.'], remedy: 'npx oxfmt . puts it right.' },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
];

/** Runs every check, says how each went and how long it took, and answers which were good. */
export async function runChecks({ signal }) {
  const results = [];
  for (const { name, command, remedy } of CHECKS) {
    const since = performance.now();
    const [program, ...args] = command;
    const { code, output } = await runQuietly({
      command: [join(ROOT, 'node_modules/.bin', program), ...args],
      cwd: ROOT,
      signal,
    });
    const isGood = code === 0;
    console.log(`  ${isGood ? '✓' : '✗'} ${name} ${((performance.now() - since) / 1000).toFixed(1)} s`);
    if (!isGood) console.log(`\n${output.trimEnd()}\n${remedy ?? ''}`);
    results.push({ name, isGood });
  }
  return results;
}
