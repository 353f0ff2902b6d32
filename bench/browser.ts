import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { RunningApi } from './running-api.ts';

/** The package's options for cloud functions, and those that would disable what is measured. */
const UNWANTED =
  /single-process|disable-web-security|insecure-content|site-isolation|gpu|angle|swiftshader/;
const LOAD_MS = 30_000;
/** The event that marks when a posted lead was answered. */
export const ARRIVAL = 'arrival';

/** Opens a browser at the console's login and collects every page error. */
export async function openConsole(
  api: RunningApi,
): Promise<{ page: Page; errors: string[]; close(): Promise<void> }> {
  // Makes the Chromium package unpack the system libraries that a minimal machine lacks.
  process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs20.x';
  const { default: packed } = await import('@sparticuz/chromium');
  const browser = await chromium.launch({
    executablePath: await packed.executablePath(),
    args: ['--disable-gpu', ...packed.args.filter((argument) => !UNWANTED.test(argument))],
  });
  const context = await browser.newContext({
    baseURL: api.url,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    viewport: { width: 1440, height: 900 },
  });
  context.setDefaultTimeout(LOAD_MS);
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  context.on('response', (answer) => {
    // Requested before the login.
    if (answer.status() >= 400 && answer.status() !== 401)
      errors.push(`${answer.status()} ${answer.url()}`);
  });
  return { page: await context.newPage(), errors, close: () => browser.close() };
}

/**
 * The condition to wait for: a number of elements, exactly these texts, or one element with this
 * text.
 */
export type Sight = { selector: string } & (
  | { count: number }
  | { texts: string[] }
  | { among: string }
);

/** Acts on the page and returns the milliseconds from its event until all sights are visible, by the page's clock. */
export async function measureUntil(
  page: Page,
  act: () => Promise<unknown>,
  sights: Sight[],
): Promise<number> {
  await page.evaluate(
    (kinds) => {
      const marks = performance as Performance & { actedAt?: number | undefined };
      marks.actedAt = undefined;
      for (const kind of kinds) {
        addEventListener(kind, (event) => (marks.actedAt ??= event.timeStamp), {
          capture: true,
          once: true,
        });
      }
    },
    ['click', 'input', 'keydown', ARRIVAL],
  );
  await act();
  return waitForSights(page, sights);
}

/** Milliseconds since the measured action, or since the page began to load. */
export async function waitForSights(page: Page, sights: Sight[]): Promise<number> {
  const seen = page.waitForFunction(
    (wanted) => {
      const isThere = wanted.every((sight) => {
        const found = [...document.querySelectorAll(sight.selector)].map(
          ({ textContent }) => textContent,
        );
        if ('count' in sight) return found.length === sight.count;
        if ('among' in sight) return found.some((text) => text.includes(sight.among));
        return JSON.stringify(found) === JSON.stringify(sight.texts);
      });
      const { actedAt = 0 } = performance as Performance & { actedAt?: number };
      return isThere && performance.now() - actedAt;
    },
    sights,
    { polling: 'raf' },
  );
  try {
    return Number(await (await seen).jsonValue());
  } catch (cause) {
    const found = await Promise.all(
      sights.map(({ selector }) => page.locator(selector).allTextContents()),
    );
    const told = sights.map(
      (sight, n) => `${JSON.stringify(sight)}, found ${JSON.stringify(found[n]).slice(0, 500)}`,
    );
    throw new Error(`Did not appear:\n${told.join('\n')}`, { cause });
  }
}
