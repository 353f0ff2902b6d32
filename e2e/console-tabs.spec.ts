import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

import { postLead, rowOf, untilLive } from './console.ts';
import { createBlock } from './blocked-calls.ts';
import { addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const EVENTS = '/api/admin/events';

/** A browser without a screen never hides a tab, so the page is told what a screen would tell it. */
async function tellVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((told) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => told });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => told === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}

test('a hidden tab lets go of its stream, and takes it up where it was when it is looked at again', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  const { visitor: first } = await addSent({ operator, request });
  await page.goto('/admin-leads');
  await untilLive(page);
  await expect(rowOf(page, first)).toBeVisible();

  const closed = page.waitForEvent('requestfailed', (of) => of.url().includes(EVENTS));
  await tellVisibility(page, 'hidden');
  await closed;
  const asked: string[] = [];
  page.on('request', (of) => asked.push(new URL(of.url()).pathname));
  const { visitor } = await addSent({ operator, request });
  expect(asked).not.toContain(EVENTS);
  await expect(page.getByRole('button', { name: /new lead/ })).toBeHidden();

  const opened = page.waitForRequest((of) => of.url().includes(EVENTS));
  await tellVisibility(page, 'visible');

  expect(new URL((await opened).url()).searchParams.get('after')).toMatch(/./);
  await page.getByRole('button', { name: 'Show 1 new lead' }).click();
  await expect(rowOf(page, visitor)).toContainText('Sent');
});

test('on a slow network leads that come meanwhile do not make the list begin again', async ({
  operatorPage: page,
  request,
}) => {
  const search = `Slow ${Date.now()}`;
  const asked: string[] = [];
  const { held, releaseRun } = createBlock();
  await page.route('**/api/admin/leads?*', async (route) => {
    asked.push(route.request().url());
    // What it answers is older than what comes meanwhile.
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const listening = page.waitForResponse(`**${EVENTS}*`);
  await page.goto(`/admin-leads?search=${encodeURIComponent(search)}`);
  await listening;
  await expect(page.getByText('Loading leads...')).toBeVisible();

  const visitors = [1, 2, 3].map(() => ({ ...newVisitor(), company: search }));
  for (const visitor of visitors) {
    const heard = page.waitForResponse('**/api/admin/sync');
    await postLead(request, visitor);
    await heard;
  }
  expect(asked).toHaveLength(1);
  releaseRun();

  for (const visitor of visitors) await expect(rowOf(page, visitor)).toBeVisible();
});
