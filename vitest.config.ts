import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

// The runs of the sync's model and of events in any order, their seed, and the share of the fuzz.
// `npm run drill` asks for more.
const { MODEL_RUNS, MODEL_SEED } = process.env;
const modelRuns = Number(MODEL_RUNS ?? 10);
const isFuzzWhole = process.env.FUZZ === 'whole';
const modelSeed = MODEL_SEED === undefined ? null : Number(MODEL_SEED);

const TEST_FILES = 'src/**/*.test.{ts,tsx}';
// From version 26 on, Node's own localStorage hides happy-dom's. Node 20 does not know the flag.
const NO_WEB_STORAGE = ['--no-experimental-webstorage'].filter((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);
const CONTRACT = 'services/sandbox/src/contract/*.contract.test.ts';

export default defineConfig({
  test: {
    tags: [
      {
        name: 'long',
        description:
          'Takes seconds a test, or starts programs and servers. `npm test -- long` runs them.',
      },
    ],
    // One more file than processors at once, because a file also waits for servers. Many more would
    // miss their deadlines.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: [`packages/schema/${TEST_FILES}`, 'scripts/**/*.test.mjs'],
          // Tests of many values take seconds on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'web',
          include: [`web/${TEST_FILES}`],
          environment: 'happy-dom',
          execArgv: NO_WEB_STORAGE,
          // Lazily loaded code can take seconds on a busy machine.
          testTimeout: 30_000,
          // Loading its imports takes a file longer than its tests. The fixtures leave an empty
          // page behind.
          isolate: false,
        },
      },
      {
        test: {
          name: 'contract',
          include: [CONTRACT],
          // The keys of the real services, if they are given.
          provide: { env: process.env },
        },
      },
      {
        test: {
          name: 'integration',
          include: [
            `packages/{platform,local-infra,testing}/${TEST_FILES}`,
            `services/*/${TEST_FILES}`,
          ],
          exclude: [CONTRACT],
          globalSetup: ['scripts/built-programs.mjs', 'packages/testing/src/global-setup.ts'],
          // Loading its imports takes a file longer than many of its tests, and no module keeps
          // state.
          isolate: false,
          provide: { modelRuns, modelSeed, isFuzzWhole },
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // The default of a second is too little for a busy machine.
          expect: { poll: { timeout: 15_000 } },
        },
      },
      // Each worker breaks its own servers, so two drills may run at once. They come after
      // everything else, because they measure time. `npm run drill` runs the long drills.
      {
        test: {
          name: 'agreement',
          include: ['e2e/agreement/*.test.ts'],
          globalSetup: 'scripts/built-programs.mjs',
          provide: { modelSeed },
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 240_000,
          hookTimeout: 90_000,
        },
      },
      ...['drill', 'long-drill'].map((kind) => ({
        test: {
          name: `${kind}s`,
          include: [`e2e/drills/*.${kind}.test.ts`],
          globalSetup: 'scripts/built-programs.mjs',
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      })),
    ],
  },
});
