import type { Page, Route } from '@playwright/test';

/** Something to be waited for until the test has seen what it came to see. */
export function createBlock(): { held: Promise<void>; releaseRun: () => void } {
  let releaseRun = () => undefined as void;
  const held = new Promise<void>((resolve) => (releaseRun = resolve));
  return { held, releaseRun };
}

/** Holds a page's calls to an address until they are let go; then the service answers them, or `answer` does. */
export async function blockCalls(
  page: Page,
  address: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const { held, releaseRun } = createBlock();
  await page.route(address, async (route) => {
    await held;
    await answer(route);
  });
  return releaseRun;
}
