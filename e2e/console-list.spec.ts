import { expect } from '@playwright/test';

import { blockCalls } from './blocked-calls.ts';
import { untilLive } from './console.ts';
import { addSent } from './lead-steps.ts';
import { test } from './system.fixture.ts';

test('the list is asked for while the code that shows it is on its way, and shown from that answer', async ({
  operator,
  operatorPage: page,
  request,
}) => {
  await addSent({ operator, request });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const letGoCode = await blockCalls(page, '**/assets/index-*.js');
  const answer = page.waitForResponse('**/api/admin/leads');
  await page.goto('/admin-leads', { waitUntil: 'commit' });

  await answer;
  letGoCode();
  await untilLive(page);
  await expect(page.locator('tbody tr').first()).toBeVisible();
  expect(asked.filter((path) => path === '/api/admin/leads')).toHaveLength(1);
});
