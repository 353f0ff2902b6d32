import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

const TEST_FILES = 'src/**/*.test.{ts,tsx}';

export default defineConfig({
  test: {
    // More files at once than processors only makes every one of them miss its deadline.
    maxWorkers: Math.max(2, Math.min(8, availableParallelism())),
    projects: [
      {
        test: {
          name: 'unit',
          include: [`packages/schema/${TEST_FILES}`, 'scripts/*.test.mjs'],
        },
      },
      {
        test: {
          name: 'web',
          include: [`web/${TEST_FILES}`],
          environment: 'happy-dom',
        },
      },
      {
        test: {
          name: 'integration',
          include: [`packages/{platform,local-infra}/${TEST_FILES}`, `services/*/${TEST_FILES}`],
          globalSetup: 'packages/local-infra/src/testing/global-setup.ts',
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
