import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from '@playwright/test';
import chromium from '@sparticuz/chromium';

import type { SystemOptions } from './system.fixture.ts';

const ROOT = join(import.meta.dirname, '..');
const BUILT = ['packages/schema/dist/offer.js', 'packages/local-infra/dist/run-all.js', 'web/dist/index.html'];
const missing = BUILT.find((path) => !existsSync(join(ROOT, path)));
if (missing !== undefined) {
  throw new Error(`The system is not built (${missing} is missing): run "npm test -- e2e", which builds it first.`);
}

/** What suits a function in a cloud, and would switch off what is tested here: which origin may call which. */
const UNSAFE = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--single-process',
];
// A graphics card that is played by the processor takes twice its time, and pages have no use for one.
const isGraphics = (argument: string) => /gpu|angle|swiftshader/.test(argument);

/** Pictures of everything, page quality, pages with hundreds of rows: minutes of their own, run by "npm test -- looks". */
const LONG = [
  '**/looks.spec.ts',
  '**/*-looks.spec.ts',
  '**/*-sizes.spec.ts',
  '**/site-access.spec.ts',
  '**/site-steady.spec.ts',
  '**/site-lighthouse.spec.ts',
  '**/site-zoom.spec.ts',
];

export default defineConfig<object, SystemOptions>({
  testDir: '.',
  // Not what the compiler makes of them.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Each has a running system and a browser of its own, and its journeys come one after the other: they watch counters.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  // Chromium drops what it loads, even from this machine, whenever a network interface comes or goes, as with every
  // container. What needed its second try is named in the summary all the same: it is to be looked into.
  retries: 1,
  // After each failure the system starts anew, so one that is broken altogether would take an hour to say so.
  maxFailures: 10,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? join(ROOT, '.cache/test-results/e2e.json') }],
  ],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: await chromium.executablePath(),
      args: [
        '--disable-gpu',
        ...chromium.args.filter((argument) => !UNSAFE.includes(argument) && !isGraphics(argument)),
      ],
    },
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 1280, height: 900 },
    actionTimeout: 10_000,
    navigationTimeout: 15_000,
    screenshot: 'only-on-failure',
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
  projects: [
    { name: 'journeys', testIgnore: ['**/limits.spec.ts', ...LONG] },
    { name: 'looks', testMatch: LONG },
    // Limits count by client address, so they get a system of their own.
    { name: 'limits', testMatch: '**/limits.spec.ts', use: { settings: { RATE_LIMIT_LEADS_PER_MINUTE: '2' } } },
  ],
});
