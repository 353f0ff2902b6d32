import type { Page, Route } from '@playwright/test';

/**
 * Holds a page's calls to a URL until the returned function is called. Then the API answers them,
 * or `answer` does.
 */
export async function blockCalls(
  page: Page,
  address: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let release = () => undefined as void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await held;
    await answer(route);
  });
  return release;
}
