import { test as base } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';

import { createFaultWatch } from './fault-watch.ts';
import type { FaultWatch } from './fault-watch.ts';
import { logIn } from './operator.ts';
import type { Operator } from './operator.ts';
import { createSandboxControl } from './sandbox-control.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { startSystem } from './system.ts';
import type { Settings, System } from './system.ts';

export type SystemOptions = {
  /** Settings that differ from the defaults. */
  settings: Settings;
};

type TestFixtures = {
  faults: FaultWatch;
  sandbox: SandboxControl;
  operator: Operator;
  operatorPage: Page;
};

/** Starts the real system once for all journeys, and a browser whose faults fail the test. */
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
      const faults = createFaultWatch([system.siteUrl, system.sandboxUrl]);
      await use(faults);
      if (testInfo.errors.length > 0) await testInfo.attach('system.log', { body: system.logs() });
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
