import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { test as base } from '@playwright/test';
import type { BrowserContext, Page, TestInfo } from '@playwright/test';

import { createFaultWatch } from './fault-watch.ts';
import type { FaultWatch } from './fault-watch.ts';
import { logIn } from './operator.ts';
import type { Operator } from './operator.ts';
import { createSandboxControl } from './sandbox-control.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { startSystem } from './system.ts';
import type { Settings, System } from './system.ts';

export type SystemOptions = {
  /** Settings of the system, beside the defaults. */
  settings: Settings;
};

type TestFixtures = {
  faults: FaultWatch;
  sandbox: SandboxControl;
  operator: Operator;
  operatorPage: Page;
};

/** The real system, started once for all journeys, and a browser in which nothing may go wrong unseen. */
export const test = base.extend<TestFixtures, SystemOptions & { system: System }>({
  settings: [{}, { scope: 'worker', option: true }],

  system: [
    async ({ settings }, use) => {
      const system = await startSystem(settings);
      await use(system);
      await system.stop();
    },
    { scope: 'worker', timeout: 200_000 },
  ],

  baseURL: async ({ system }, use) => use(system.siteUrl),

  faults: [
    async ({ system }, use, testInfo) => {
      refuseUnearnedRetry(testInfo);
      const faults = createFaultWatch([system.siteUrl, system.sandboxUrl]);
      await use(faults);
      if (testInfo.errors.length > 0) await testInfo.attach('system.log', { body: system.logs() });
      if (faults.sawNetworkChange()) allowRetry(testInfo);
      faults.check();
    },
    { auto: true },
  ],

  context: async ({ context, faults }, use) => {
    faults.over(context);
    await use(context);
  },

  sandbox: async ({ system }, use) => {
    const sandbox = createSandboxControl(system.sandboxUrl);
    await use(sandbox);
    await sandbox.heal();
  },

  operator: async ({ browser, system, faults }, use) => {
    const context: BrowserContext = await browser.newContext({ baseURL: system.siteUrl });
    faults.over(context);
    await use(await logIn(context, system.login));
    await context.close();
  },

  operatorPage: async ({ operator }, use) => use(operator.page),
});

/*
 * Whenever a network interface of this machine comes or goes, as with every container that starts, Chromium drops what
 * it is loading, from this machine itself too. No test can do anything about that, so such a test is run again; a test
 * that failed for any other reason is not.
 */
const markOf = ({ project, testId }: TestInfo) => join(project.outputDir, 'network-changed', testId);

function allowRetry(testInfo: TestInfo): void {
  mkdirSync(join(testInfo.project.outputDir, 'network-changed'), { recursive: true });
  writeFileSync(markOf(testInfo), '');
}

function refuseUnearnedRetry(testInfo: TestInfo): void {
  if (testInfo.retry > 0 && !existsSync(markOf(testInfo))) {
    throw new Error('It failed for a reason of its own, see above, and is not tried again.');
  }
}
