import { expect } from '@playwright/test';
import type { APIRequestContext, Browser, Locator, Page } from '@playwright/test';
import type { LeadIntakeRequest } from '@site/schema/lead-intake';

import type { FaultWatch } from './fault-watch.ts';
import { logIn } from './operator.ts';
import type { System } from './system.ts';
import type { Visitor } from './visitor.ts';

/** Sends a lead as another program does. Returns its id. */
export async function postLead(
  request: APIRequestContext,
  visitor: Visitor,
  more: Partial<LeadIntakeRequest> = {},
): Promise<string> {
  const answer = await request.post('/api/lead/subscribe', {
    data: { ...visitor, formType: 'pre_buy', ...more },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** Returns a day in London in a date field's format. */
export const londonDay = (daysAhead = 0): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' }).format(
    new Date(Date.now() + daysAhead * 86_400_000),
  );

/** Finds the table rows and list items of the view that contain a text. */
export function entryOf(page: Page, text: string | RegExp): Locator {
  const main = page.getByRole('main');
  return main.getByRole('row').or(main.getByRole('listitem')).filter({ hasText: text });
}

/** Finds the dialog on top. */
export const dialogOf = (page: Page): Locator => page.getByRole('dialog').last();

/** Finds one of the four counters: a link to the leads that it counts. */
export const counterOf = (page: Page, label: string): Locator =>
  page.getByRole('link', { name: new RegExp(`^${label}`) });

/** Matches a number that is not part of another number. */
export const figure = (count: number): RegExp =>
  new RegExp(`(?<![\\d,.])${count.toLocaleString('en-GB')}(?![\\d,%])`);

/** Shows the filters, which a phone hides behind a button. */
export async function openFilters(page: Page): Promise<void> {
  const opener = page.getByRole('button', { name: 'Filters', exact: true });
  const field = page.getByLabel('Start Date');
  await expect(opener.or(field).first()).toBeVisible();
  if (!(await field.isVisible())) await opener.click();
}

/** Opens the console and waits for its stream of changes. */
export async function openLive(page: Page, address: string): Promise<void> {
  const stream = page.waitForResponse('**/api/admin/events*');
  await page.goto(address);
  await stream;
}

/** Waits until changes arrive live. */
export async function untilLive(page: Page): Promise<void> {
  await expect(page.getByText(/^Live, /)).toBeVisible();
}

/** Logs a second operator in, in another browser, which the journey must close. */
export async function logInBeside({
  browser,
  system,
  faults,
}: {
  browser: Browser;
  system: System;
  faults: FaultWatch;
}): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ baseURL: system.siteUrl });
  faults.over(context);
  const { page } = await logIn(context, system.login);
  return { page, close: () => context.close() };
}

/** Presses an item of the account's menu. */
export async function chooseInAccountMenu(page: Page, name: string): Promise<void> {
  const choice = page.getByRole('button', { name });
  if (!(await choice.isVisible()))
    await page.getByRole('button', { name: /^Account menu of/ }).click();
  await choice.click();
  await page.keyboard.press('Escape');
}
