import type { Page, Route } from '@playwright/test';

/** Something to be waited for until the test has seen what it came to see. */
export function createHold(): { held: Promise<void>; letGo: () => void } {
  let letGo = () => undefined as void;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  return { held, letGo };
}

/** Holds a page's calls to an address until they are let go; then the service answers them, or `answer` does. */
export async function holdCalls(
  page: Page,
  address: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  const { held, letGo } = createHold();
  await page.route(address, async (route) => {
    await held;
    await answer(route);
  });
  return letGo;
}
