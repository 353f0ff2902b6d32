import { existsSync } from 'node:fs';
import { join } from 'node:path';

import chromium from '@sparticuz/chromium';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = [
  'packages/local-infra/dist/run-all.js',
  'services/api/dist/main.js',
  'web/dist/index.html',
];

/**
 * Prepares a run of the browser tests: fails if the system is not built, and unpacks the browser
 * once.
 */
export default async function setUp(): Promise<void> {
  const missing = BUILT.find((path) => !existsSync(join(ROOT, path)));
  if (missing !== undefined) {
    throw new Error(
      `The system is not built (${missing} is missing). Run "npm test -- e2e", which builds it first.`,
    );
  }
  await chromium.executablePath();
}
