import { expect } from '@playwright/test';

import { findBarriers } from './barriers.ts';
import { test as base } from './system.fixture.ts';

const DESKTOP = { width: 1440, height: 900 };

/**
 * Runs an operator's task on a desktop or a phone. The console must have no barriers at its end.
 */
export const test = base.extend({
  viewport: async ({ viewport, isMobile }, use) => use(isMobile ? viewport : DESKTOP),

  operatorPage: async ({ operatorPage, isMobile }, use, testInfo) => {
    await use(operatorPage);
    const isConsole = new URL(operatorPage.url()).pathname === '/admin-leads';
    if (isMobile && isConsole && testInfo.errors.length === 0)
      expect(await findBarriers(operatorPage)).toEqual([]);
  },
});
