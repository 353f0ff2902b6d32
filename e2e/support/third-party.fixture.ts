import { serveThirdPartyScripts } from './third-party-scripts.ts';
import type { ThirdPartyScripts } from './third-party-scripts.ts';
import { test as base } from './system.fixture.ts';

/** The system with analytics and chat configured. A local server serves their scripts. */
export const test = base.extend<object, { scripts: ThirdPartyScripts }>({
  scripts: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the needed fixtures from the pattern
    async ({}, use) => {
      const scripts = await serveThirdPartyScripts();
      await use(scripts);
      await scripts.close();
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ scripts }, use) =>
      use({
        ANALYTICS_ID: 'G-TEST',
        ANALYTICS_SCRIPT_URL: `${scripts.origin}/gtag/js`,
        CHAT_WIDGET_URL: `${scripts.origin}/chat.js`,
      }),
    { scope: 'worker' },
  ],
});

/** The requests to these scripts, which the fault watch would report. */
export const THIRD_PARTY =
  /^request to a third party: http:\/\/127\.0\.0\.1:\d+\/(?:gtag\/js\?id=G-TEST|chat\.js)$/;
