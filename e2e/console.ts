import { expect } from '@playwright/test';
import type { APIRequestContext, Browser, Page } from '@playwright/test';
import type { LeadIntakeRequest } from '@site/schema/lead-intake';

import type { FaultWatch } from './fault-watch.ts';
import { logIn } from './operator.ts';
import type { System } from './system.ts';
import type { Visitor } from './visitor.ts';

/** A lead as another program sends it. */
export async function postLead(
  request: APIRequestContext,
  visitor: Visitor,
  more: Partial<LeadIntakeRequest> = {},
): Promise<void> {
  const answer = await request.post('/api/lead/subscribe', {
    data: { ...visitor, formType: 'pre_buy', ...more },
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

export const rowOf = (page: Page, visitor: Pick<Visitor, 'email'>) =>
  page.getByRole('row').filter({ hasText: visitor.email });

export const counter = (page: Page, label: string) =>
  page
    .getByRole('navigation', { name: 'Counters' })
    .getByRole('listitem')
    .filter({ hasText: label });

/** Waits until changes come by themselves. */
export async function untilLive(page: Page): Promise<void> {
  await expect(page.getByText(/^Live, /)).toBeVisible();
}

/** A second operator, in a browser of their own; to be closed by the journey. */
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

/** Presses what is in the account's menu. */
export async function chooseInAccountMenu(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: /^Account menu of/ });
  if ((await menu.getAttribute('aria-expanded')) === 'false') await menu.click();
  await page.getByRole('button', { name }).click();
  await page.keyboard.press('Escape');
}
