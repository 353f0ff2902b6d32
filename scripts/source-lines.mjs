import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './settings.mjs';

const SOURCES = ['*.ts', '*.tsx', '*.mjs'];
const NOT_COUNTED = /\.(?:test|spec)\.|\/testing\/|^e2e\/|\.d\.ts$/;
const PRODUCT = /^(?:packages\/(?:schema|platform)|services\/(?:api|worker)|web)\//;

/** Counts the source lines of the product and of everything else, tests left out. Returns null outside a git checkout. */
export function countSourceLines() {
  let files;
  try {
    files = execFileSync('git', ['ls-files', ...SOURCES], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch {
    return null;
  }
  const lines = { product: 0, rest: 0 };
  for (const file of files.split('\n').filter((name) => name !== '' && !NOT_COUNTED.test(name))) {
    // Deleted, but not yet committed.
    if (!existsSync(join(ROOT, file))) continue;
    lines[PRODUCT.test(file) ? 'product' : 'rest'] +=
      readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
  }
  return lines;
}
