// The command that runs the browser tests.
import { join } from 'node:path';

import { ROOT } from './settings.mjs';

/** @param {string[]} args arguments for `playwright test` */
export const browserTests = (args) => ({
  command: [join(ROOT, 'e2e/node_modules/.bin/playwright'), 'test', ...args],
  cwd: join(ROOT, 'e2e'),
  // Makes the Chromium package unpack the system libraries that a minimal machine lacks.
  env: { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
});
