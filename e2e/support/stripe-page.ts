import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

export const GOOD_CARD = '4242 4242 4242 4242';
export const DECLINED_CARD = '4000 0000 0000 0002';

/** Waits for the payment service's own page. */
export async function onStripe(page: Page): Promise<void> {
  await page.waitForURL(/\/c\/pay\/cs_/);
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeVisible();
}

type Payment = { card?: string; email?: string; name?: string };

/** Fills in the card, and the email where the page does not know it yet, and presses Subscribe. */
export async function pay(
  page: Page,
  { card = GOOD_CARD, email = '', name = 'Priya Raman' }: Payment = {},
): Promise<void> {
  if (email !== '') await page.getByLabel('Email').fill(email);
  await page.getByLabel('Card number').fill(card);
  await page.getByLabel('Cardholder name').fill(name);
  await page.getByRole('button', { name: 'Subscribe' }).click();
}

/** Finds the receipt page's words once Stripe has confirmed. */
export const welcome = (page: Page) => page.getByText('Your trial has started.');

/** Pays, and waits for the receipt. */
export async function payAndArrive(page: Page, payment?: Payment): Promise<void> {
  await pay(page, payment);
  await expect(welcome(page)).toBeVisible();
}

/** Returns the checkout id in a page's URL. */
export const checkoutIdOf = (page: Page) => /cs_\w+/.exec(page.url())?.[0] ?? '';
