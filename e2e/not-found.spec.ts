import { expect } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { test } from './system.fixture.ts';

test('a path that nothing answers has the status 404, says so in its title, and leads home', async ({
  page,
  faults,
}) => {
  faults.expect(/^answer 404: GET \/no\/such-page/);

  const answer = await page.goto('/no/such-page');

  expect(answer?.status()).toBe(404);
  await expect(page).toHaveTitle(/^404 Page Not Found/);
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found', exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('/no/such-page');

  await page.getByRole('link', { name: 'The front page' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Read the ledger');
});

test('a path with a broken encoding is a 404 page like any other', async ({ page, faults }) => {
  faults.expect(/^answer 404: GET \/%E0%A4%A/);

  const answer = await page.goto('/%E0%A4%A');

  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
});

for (const { path, status, heading } of [
  { path: '/', status: 200, heading: 'Read the ledger' },
  { path: '/sample-sent', status: 200, heading: 'Sample Issue Ready!' },
  { path: '/thank-you', status: 200, heading: `Welcome to ${OFFER.productName}!` },
  { path: '/admin-leads', status: 200, heading: 'Log in' },
  { path: '/elsewhere', status: 404, heading: '404 Page Not Found' },
]) {
  test(`${path} opens directly and on a reload`, async ({ page, faults }) => {
    if (path === '/admin-leads') faults.expect(/^answer 401: GET \/api\/admin\/me/);
    if (status === 404) faults.expect(/^answer 404: GET \/elsewhere/);

    expect((await page.goto(path))?.status()).toBe(status);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);

    expect((await page.reload())?.status()).toBe(status);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);
  });
}
