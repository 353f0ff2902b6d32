import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { SubscribeButton } from '@site/schema/lead';
import { formatPence, OFFER } from '@site/schema/offer';

import { onStripe } from './stripe-page.ts';
import type { Visitor } from './visitor.ts';

/** A form that is sent within 1.5 s looks automated. */
const PERSON_MS = 1_600;

/** The subscribe dialog as a visitor sees it. */
export type SubscribeForm = {
  dialog: Locator;
  name: Locator;
  email: Locator;
  company: Locator;
  phone: Locator;
  submit: Locator;
  fill(visitor: Visitor): Promise<void>;
  expectFilledWith(visitor: Visitor): Promise<void>;
};

type OpenedForm = SubscribeForm & {
  /** Resolves once the dialog has been open as long as a person needs. */
  takeTime(): Promise<void>;
};

export function subscribeButton(page: Page, button: SubscribeButton): Locator {
  switch (button) {
    case 'nav_sub':
      return page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' });
    case 'top_sub':
      return page.getByRole('button', {
        name: `Subscribe Now – ${formatPence(OFFER.launchPricePence)}/mo`,
      });
    case 'bottom_sub':
      return page.locator('#subscribe').getByRole('button', { name: 'Subscribe Now' });
  }
}

export async function openSubscribeForm(page: Page, button: SubscribeButton): Promise<OpenedForm> {
  await subscribeButton(page, button).click();
  const form = subscribeForm(page);
  await expect(form.dialog).toBeVisible();
  return { ...form, takeTime: createWait(page, await readTime(page)) };
}

/** Opens the landing page and fills in the form, ready to be sent. */
export async function fillSubscribeForm(
  page: Page,
  visitor: Visitor,
  button: SubscribeButton = 'top_sub',
): Promise<SubscribeForm> {
  await page.goto('/');
  const form = await openSubscribeForm(page, button);
  await form.fill(visitor);
  await form.takeTime();
  return form;
}

/** Goes from the landing page through the form to Stripe's page. */
export async function goToStripe(
  page: Page,
  visitor: Visitor,
  button?: SubscribeButton,
): Promise<void> {
  const form = await fillSubscribeForm(page, visitor, button);
  await form.submit.click();
  await onStripe(page);
}

/** Reads the page's own clock, in milliseconds. */
const readTime = (page: Page) => page.evaluate(() => performance.now());

/** Waits until a person would have taken this long since the form opened. */
function createWait(page: Page, openedAt: number): () => Promise<void> {
  return async () => {
    await page.waitForFunction(([start, ms]) => performance.now() - start > ms, [
      openedAt,
      PERSON_MS,
    ] as const);
  };
}

export function subscribeForm(page: Page): SubscribeForm {
  const dialog = page.getByRole('dialog', { name: `Subscribe to ${OFFER.productName}` });
  const name = dialog.getByLabel('Full Name');
  const email = dialog.getByLabel('Email Address');
  const company = dialog.getByLabel('Company (Optional)');
  const phone = dialog.getByLabel('Phone (Optional)');
  return {
    dialog,
    name,
    email,
    company,
    phone,
    submit: dialog.locator('button[type=submit]'),
    async fill(visitor) {
      await name.fill(visitor.fullName);
      await email.fill(visitor.email);
      await company.fill(visitor.company);
      await phone.fill(visitor.phone);
    },
    async expectFilledWith(visitor) {
      await expect(name).toHaveValue(visitor.fullName);
      await expect(email).toHaveValue(visitor.email);
      await expect(company).toHaveValue(visitor.company);
      await expect(phone).toHaveValue(visitor.phone);
    },
  };
}
