import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { subscribeButton } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';

/**
 * Makes a script of the site fail, as after the deployment of a newer version, until it is healed.
 */
async function breakScript(page: Page, name: string): Promise<{ heal: () => Promise<void> }> {
  const files = `**/assets/${name}-*.js`;
  await page.route(files, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  return { heal: () => page.unroute(files) };
}

test(
  'a failed script is reported, and the subscribe form then opens as a page',
  { tag: '@long' },
  async ({ page, faults }) => {
    faults.expect(/^answer 404: GET \/assets\/ThankYouPage/);
    faults.expect(/^answer 404: GET \/assets\/SubscribeDialog/);
    faults.expect(/^console error: /);
    const { heal } = await breakScript(page, 'ThankYouPage');
    await page.goto('/thank-you');

    await expect(
      page.getByRole('heading', { level: 1, name: 'This page did not load' }),
    ).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Your connection may have dropped');
    await heal();
    await page.getByRole('button', { name: 'Load it again' }).click();
    await expect(
      page.getByRole('heading', { level: 1, name: `Welcome to ${OFFER.productName}!` }),
    ).toBeVisible();

    await breakScript(page, 'SubscribeDialog');
    await page.goto('/');
    await subscribeButton(page, 'bottom_sub').click();
    await expect(page).toHaveURL('/subscribe?from=bottom_sub');
    await expect(
      page.getByRole('heading', { level: 1, name: `Subscribe to ${OFFER.productName}` }),
    ).toBeVisible();
    await expect(page.getByLabel('Email Address')).toBeVisible();
  },
);
