import { expect } from '@playwright/test';

import { findBarriers } from './barriers.ts';
import { takePictures } from './pictures.ts';
import { test } from './third-party.fixture.ts';

test('the cookie question: pictures, and axe finds nothing', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your choice.' })).toBeVisible();

  expect(await findBarriers(page)).toEqual([]);
  await takePictures(page, 'consent', { phoneHeight: 800 });
});
