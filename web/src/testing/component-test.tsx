// What every component test begins with: an empty page, an API that answers what the test says, and a user's hands.
import { cleanup, configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { RenderResult } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { test as base, expect, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { provideSiteSettings } from '../site-settings.ts';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';
import { toasts } from '../ui/toast-store.ts';
import { createFakeApi } from './fake-api.ts';
import type { FakeApi } from './fake-api.ts';

configure({
  // The whole page below a failure hides what failed.
  getElementError: (message) => new Error(message ?? 'Not found'),
  // A busy machine takes its time to load what a page loads late.
  asyncUtilTimeout: 5_000,
});
vi.setConfig({ testTimeout: 30_000 });

type Fixtures = {
  api: FakeApi;
  user: UserEvent;
  /** Where the page sends the browser. */
  assign: MockInstance<typeof window.location.assign>;
  /** What the page logs as an error. A test that expects none need not ask. */
  logged: MockInstance<typeof console.error>;
};

export const test = base.extend<Fixtures>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from the pattern
    async ({}, use) => {
      localStorage.clear();
      sessionStorage.clear();
      window.history.replaceState(null, '', '/');
      provideSiteSettings(DEFAULT_SITE_SETTINGS);
      const api = createFakeApi();
      vi.stubGlobal('fetch', api.fetch);
      await use(api);
      cleanup();
      toasts.dismiss();
      vi.useRealTimers();
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
      expect(api.strays, 'calls that the test does not answer').toEqual([]);
    },
    { auto: true },
  ],
  // oxlint-disable-next-line no-empty-pattern -- as above
  user: async ({}, use) => use(userEvent.setup({ delay: null })),
  // oxlint-disable-next-line no-empty-pattern -- as above
  assign: async ({}, use) => use(vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)),
  // oxlint-disable-next-line no-empty-pattern -- as above
  logged: async ({}, use) => use(vi.spyOn(console, 'error').mockImplementation(() => undefined)),
});

/** Shows a page at an address of the site, with the place where its toasts appear. */
export function show(page: ReactNode, address = '/'): RenderResult {
  window.history.replaceState(null, '', address);
  return render(
    <BrowserRouter>
      {page}
      <ToastOutlet />
    </BrowserRouter>,
  );
}
