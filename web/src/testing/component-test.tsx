// The fixtures of every component test: an empty page, a fake API and a simulated user.
import { cleanup, configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { RenderResult } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { test as base, expect, onTestFinished, vi } from 'vitest';
import type { MockInstance } from 'vitest';
import { provideSiteSettings } from '../site-settings.ts';
import { ToastOutlet } from '../ui/ToastOutlet.tsx';
import { toasts } from '../ui/toast-store.ts';
import { createFakeApi } from './fake-api.ts';
import type { FakeApi } from './fake-api.ts';

configure({
  // Testing Library prints the whole page by default, which hides the failure.
  getElementError: (message) => new Error(message ?? 'Not found'),
  // Lazily loaded code can take seconds on a busy machine.
  asyncUtilTimeout: 5_000,
});

type Fixtures = {
  api: FakeApi;
  user: UserEvent;
  /** A spy on the browser's navigation. */
  assign: MockInstance<typeof window.location.assign>;
  /** A spy on `console.error`, for tests that expect errors. */
  logged: MockInstance<typeof console.error>;
};

export const test = base.extend<Fixtures>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from the pattern
    async ({}, use) => {
      localStorage.clear();
      sessionStorage.clear();
      document.body.replaceChildren();
      window.history.replaceState(null, '', '/');
      // Files share the page, too.
      delete window.dataLayer;
      provideSiteSettings(DEFAULT_SITE_SETTINGS);
      const api = createFakeApi();
      vi.stubGlobal('fetch', api.fetch);
      await use(api);
      cleanup();
      api.release();
      toasts.dismiss();
      // Files share the module.
      provideSiteSettings(DEFAULT_SITE_SETTINGS);
      vi.useRealTimers();
      // A dialog returns the focus a task after it disappears, which must not happen in the next
      // test.
      await new Promise((resolve) => setTimeout(resolve));
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
      expect(api.strays, 'calls without an answer in the test').toEqual([]);
    },
    { auto: true },
  ],
  // oxlint-disable-next-line no-empty-pattern -- as above
  user: async ({}, use) => use(userEvent.setup({ delay: null })),
  // oxlint-disable-next-line no-empty-pattern -- as above
  assign: async ({}, use) =>
    use(vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)),
  // oxlint-disable-next-line no-empty-pattern -- as above
  logged: async ({}, use) => use(vi.spyOn(console, 'error').mockImplementation(() => undefined)),
});

/** Renders a page and its toasts at a URL of the site, with nothing loaded before. */
export function show(page: ReactNode, address = '/'): RenderResult {
  window.history.replaceState(null, '', address);
  return render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <BrowserRouter>
        {page}
        <ToastOutlet />
      </BrowserRouter>
    </SWRConfig>,
  );
}

/** Sets the window's width in px until the test ends. */
export function setWidth(width: number): void {
  const { happyDOM } = window as unknown as {
    happyDOM: { setViewport(size: { width: number }): void };
  };
  happyDOM.setViewport({ width });
  onTestFinished(() => happyDOM.setViewport({ width: 1024 }));
}
