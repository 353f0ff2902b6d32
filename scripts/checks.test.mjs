import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { listFiles } from './fingerprint.mjs';
import { ROOT } from './settings.mjs';

const FOLDERS = ['packages', 'services', 'web', 'e2e', 'bench', 'vitest.config.ts'];

test('"npx tsc --noEmit" checks every TypeScript file', () => {
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const listed = execFileSync(tsc, ['--noEmit', '--listFilesOnly'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const checked = new Set(listed.split('\n'));
  const ours = FOLDERS.flatMap((path) => listFiles(join(ROOT, path))).filter((path) =>
    /\.tsx?$/.test(path),
  );

  expect(ours.length).toBeGreaterThan(500);
  expect(ours.filter((path) => !checked.has(path))).toEqual([]);
});
