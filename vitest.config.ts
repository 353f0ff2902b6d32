import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

// How often the sync's model is played, and from which seed: the long drill asks for more.
const { MODEL_RUNS, MODEL_SEED } = process.env;
const modelRuns = Number(MODEL_RUNS ?? 25);
const modelSeed = MODEL_SEED === undefined ? null : Number(MODEL_SEED);

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
          // Loading what a file imports takes longer than many of its tests, and nothing keeps state in a module.
          isolate: false,
          // Real servers on a busy machine: what needs its second try is named in the report all the same.
          retry: 1,
          provide: { modelRuns, modelSeed },
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'drills',
          include: ['e2e/drills/*.drill.test.ts'],
          // One at a time, on servers that they share and break, and after everything else: a drill measures time.
          maxWorkers: 1,
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
});
