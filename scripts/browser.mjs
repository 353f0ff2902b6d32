// The tests in a browser, as a command to run.
import { join } from 'node:path';

import { ROOT } from './settings.mjs';

/** @param {string[]} args what `playwright test` is to be told */
export const browserTests = (args) => ({
  command: [join(ROOT, 'e2e/node_modules/.bin/playwright'), 'test', ...args],
  cwd: join(ROOT, 'e2e'),
  // The Chromium package brings the libraries that a bare system lacks, and unpacks them for the one it knows to.
  env: { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
});
