import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { defineConfig } from '@playwright/test';
import chromium from '@sparticuz/chromium';

import type { SystemOptions } from './support/system.fixture.ts';

const ROOT = join(import.meta.dirname, '..');

// The package's defaults suit a cloud function. These would switch off the tested rules about
// origins.
const UNSAFE = [
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--single-process',
];
// Emulating a graphics card doubles the processor time, and no page needs one.
const isGraphics = (argument: string) => /gpu|angle|swiftshader/.test(argument);

/**
 * Screenshots, page quality and pages with hundreds of rows take minutes: "npm test -- looks" runs
 * them.
 */
const LONG = [
  '**/*-looks.spec.ts',
  '**/site-steady.spec.ts',
  '**/site-lighthouse.spec.ts',
  '**/site-zoom.spec.ts',
];

const MONEY = '**/tasks-money.spec.ts';
/** Settings that no other project has, so that a project gets its own system. */
const SEPARATE = { SUPPORT_EMAIL: 'money@liquidationledger.example' };
const THIRD_PARTY = ['**/lead-fields.spec.ts', '**/site-consent.spec.ts'];

/** `firefox` and `webkit` are Playwright's own, which CI installs. */
const BROWSER = process.env['E2E_BROWSER'] ?? 'chromium';
const CHROMIUM = {
  // The path to which the package unpacks it.
  executablePath: join(tmpdir(), 'chromium'),
  args: [
    '--disable-gpu',
    ...chromium.args.filter((argument) => !UNSAFE.includes(argument) && !isGraphics(argument)),
  ],
};

const PHONE = {
  viewport: { width: 390, height: 844 },
  // Playwright has no mobile Firefox.
  isMobile: BROWSER !== 'firefox',
  hasTouch: true,
  colorScheme: 'dark' as const,
};

export default defineConfig<object, SystemOptions>({
  testDir: '.',
  // The compiler's output holds the same tests again.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Checks that the system is built and unpacks the browser. This file loads without either, for
  // tools that read it.
  globalSetup: './support/global-setup.ts',
  // Each worker has its own system and browser, and runs its tests one after the other because they
  // compare counters. With three, two cores are seldom idle. Four are no faster.
  workers: 3,
  fullyParallel: false,
  forbidOnly: true,
  // Each failure restarts the system, so a broken build would otherwise take an hour to say so.
  maxFailures: 10,
  // A machine may be three times slower than usual. Only tests that wait for something missing end
  // by timeout.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [
    ['list'],
    [
      'json',
      {
        outputFile:
          process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? join(ROOT, '.cache/test-results/e2e.json'),
      },
    ],
  ],
  use: {
    browserName: BROWSER as 'chromium' | 'firefox' | 'webkit',
    launchOptions: BROWSER === 'chromium' ? CHROMIUM : {},
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 1280, height: 900 },
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    screenshot: 'only-on-failure',
    // A snapshot of the page at each action would take an eighth of the processor time.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
  },
  projects: [
    // Needs a system without leads, which only the first file of a worker has.
    { name: 'money', testMatch: MONEY },
    // They need a separate system with analytics and chat. One worker reuses it.
    { name: 'third-party', testMatch: THIRD_PARTY, workers: 1 },
    { name: 'journeys', testIgnore: [MONEY, ...THIRD_PARTY, ...LONG] },
    // They run only on request, like tests tagged @long.
    { name: 'phone-money', testMatch: MONEY, use: { ...PHONE, settings: SEPARATE } },
    {
      name: 'phone',
      testMatch: '**/tasks-*.spec.ts',
      testIgnore: MONEY,
      grepInvert: /by keyboard/,
      use: PHONE,
    },
    { name: 'looks', testMatch: LONG },
  ],
});
