import { expect } from '@playwright/test';
import type { Page, Route } from '@playwright/test';
import { addDays } from '@site/schema/calendar';
import type { Receipt } from '@site/schema/calls/visitor';
import { OFFER } from '@site/schema/offer';
import { problemType } from '@site/schema/problem';
import type { PageSettings } from '@site/schema/page-render';

import type { FaultWatch } from './fault-watch.ts';
import { openSubscribeForm } from './subscribe-form.ts';
import type { SubscribeForm } from './subscribe-form.ts';

export type PageState = {
  name: string;
  /** Brings the page into the state. */
  open: (page: Page, faults: FaultWatch) => Promise<void>;
};

function buildReceipt(now = new Date()): Receipt {
  return {
    name: 'Priya Raman',
    email: 'priya.raman@northgate.example',
    interval: 'monthly',
    amountPence: OFFER.launchPricePence,
    paidTodayPence: 0,
    startedAt: now.toISOString(),
    firstChargeAt: addDays(now, OFFER.trialDays).toISOString(),
    vat: null,
  };
}

const HAS_SUBSCRIPTION = {
  type: problemType('already-subscribed'),
  title: 'This email already has a subscription',
  status: 409,
  detail: 'priya@northgate.example has a subscription already.',
};

/** Opens the page after a checkout as if Stripe had given this answer. */
async function thankYou(
  page: Page,
  checkout: NonNullable<PageSettings['checkout']>,
): Promise<void> {
  await page.route('**/thank-you?*', async (route) => {
    const html = await (
      await route.fetch({ url: new URL('/thank-you', route.request().url()).href })
    ).text();
    const body = html
      .replace(/("renderedAt":"[^"]+")/, `$1,"checkout":${JSON.stringify(checkout)}`)
      .replace(/(<div id="root">).*(<\/div>)/s, '$1$2');
    await route.fulfill({ contentType: 'text/html', body });
  });
  await page.route('**/api/checkout/session/*', () => undefined);
  await page.goto('/thank-you?session_id=cs_test_1');
}

/** Submits the form. The checkout gets this answer, or none. */
async function submitForm(
  page: Page,
  answer: Parameters<Route['fulfill']>[0] | null,
): Promise<SubscribeForm> {
  await page.route('**/api/lead/subscribe', (route) =>
    route.fulfill({ status: 201, json: { id: crypto.randomUUID(), beehiivStatus: 'pending' } }),
  );
  await page.route('**/api/checkout/session', async (route) => {
    if (answer !== null) await route.fulfill(answer);
  });
  await page.goto('/');
  const form = await openSubscribeForm(page, 'top_sub');
  await form.name.fill('Priya Raman');
  await form.email.fill('priya@northgate.example');
  await form.submit.click();
  return form;
}

/** Every page that needs no login, in every state it can be in. */
export const PAGE_STATES: PageState[] = [
  { name: 'landing', open: async (page) => void (await page.goto('/')) },
  {
    name: 'landing with an answer open',
    async open(page) {
      await page.goto('/');
      await page.getByText('How do I cancel?').click();
    },
  },
  {
    name: 'dialog at rest',
    async open(page) {
      await page.goto('/');
      await openSubscribeForm(page, 'top_sub');
    },
  },
  {
    name: 'dialog refused',
    async open(page) {
      await page.goto('/');
      const form = await openSubscribeForm(page, 'top_sub');
      await form.submit.click();
      await expect(form.name).toBeFocused();
    },
  },
  {
    name: 'dialog under way',
    async open(page) {
      const form = await submitForm(page, null);
      await expect(form.submit).toContainText('Processing...');
    },
  },
  {
    name: 'dialog failed',
    async open(page, faults) {
      faults.expect(/^answer 503: POST \/api\/checkout\/session/);
      faults.expect(/^console error: The checkout could not be opened/);
      await submitForm(page, { status: 503, body: 'no' });
      await expect(page.getByText('Subscription failed', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'dialog of somebody who has a subscription',
    async open(page, faults) {
      faults.expect(/^answer 409: POST \/api\/checkout\/session/);
      await submitForm(page, { status: 409, json: HAS_SUBSCRIPTION });
      await expect(page.getByText('This address already has a subscription.')).toBeVisible();
    },
  },
  {
    name: 'dialog offline',
    async open(page) {
      await page.goto('/');
      await openSubscribeForm(page, 'top_sub');
      await page.context().setOffline(true);
      await expect(page.getByText('You are offline.')).toBeVisible();
    },
  },
  { name: 'sample sent', open: async (page) => void (await page.goto('/sample-sent')) },
  {
    name: 'sample sent to an email',
    async open(page) {
      await page.goto('/sample-sent#email=priya.raman.with.a.long.name@northgate-capital.example');
      await expect(page.getByText('priya.raman.with.a.long.name')).toBeVisible();
    },
  },
  {
    name: 'sample sent, an offer under way',
    async open(page) {
      await page.route('**/api/**', () => undefined);
      // Without its code, the page would post the form and go on to the checkout.
      await page.goto('/sample-sent', { waitUntil: 'networkidle' });
      await page.getByRole('button', { name: 'Get 15% Off – Monthly' }).click();
      await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible();
    },
  },
  {
    name: 'sample sent, an offer failed',
    async open(page, faults) {
      faults.expect(/^answer 503: POST \/api\/checkout\/upsell/);
      faults.expect(/^console error: The upsell checkout could not be opened/);
      await page.route('**/api/checkout/upsell', (route) =>
        route.fulfill({ status: 503, body: 'no' }),
      );
      await page.goto('/sample-sent', { waitUntil: 'networkidle' });
      await page.getByRole('button', { name: 'Go Annual – Save 25%' }).click();
      await expect(page.getByText('The payment page did not open.')).toBeVisible();
    },
  },
  {
    name: 'sample sent, offline',
    async open(page, faults) {
      faults.expect(/^request failed: POST \/api\/(?:track|checkout\/upsell)/);
      faults.expect(/^console error: The upsell checkout could not be opened/);
      // The code is loaded before the network fails.
      await page.goto('/sample-sent', { waitUntil: 'networkidle' });
      await page.context().setOffline(true);
      await page.getByRole('button', { name: /^Get 15% Off/ }).click();
      await expect(page.getByText('You are offline.')).toBeVisible();
    },
  },
  { name: 'thank you', open: async (page) => void (await page.goto('/thank-you')) },
  {
    name: 'thank you confirmed',
    async open(page) {
      await thankYou(page, { state: 'confirmed', receipt: buildReceipt() });
      await expect(page.getByText('Your trial has started.')).toBeVisible();
    },
  },
  {
    name: 'thank you processing',
    async open(page) {
      await thankYou(page, { state: 'processing' });
      await expect(page.getByText('Stripe is still confirming')).toBeVisible();
    },
  },
  {
    name: 'thank you unknown',
    async open(page) {
      await thankYou(page, { state: 'not-found' });
      await expect(page.getByText('We cannot find this checkout')).toBeVisible();
    },
  },
  {
    name: 'thank you not finished',
    async open(page) {
      await thankYou(page, { state: 'unfinished', url: null, isExpired: false });
      await expect(page.getByText('Nothing was charged.')).toBeVisible();
    },
  },
  {
    name: 'thank you unreachable',
    async open(page) {
      await thankYou(page, { state: 'unreachable' });
      await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible();
    },
  },
  {
    name: 'page that did not load',
    async open(page, faults) {
      faults.expect(/^request failed: GET \/assets\/SampleSentPage/);
      faults.expect(/^console error: /);
      await page.route('**/assets/SampleSentPage-*.js', (route) => route.abort());
      await page.goto('/sample-sent');
      await expect(page.getByRole('button', { name: 'Load it again' })).toBeVisible();
    },
  },
  { name: 'subscribe page', open: async (page) => void (await page.goto('/subscribe')) },
  {
    name: 'subscribe page refused',
    async open(page, faults) {
      faults.expect(/^answer 422: POST \/subscribe/);
      await page.goto('/subscribe');
      await page.getByLabel('Full Name').fill(' ');
      await page.getByLabel('Email Address').fill('priya@northgate');
      // As before the scripts arrive.
      await page.locator('form').evaluate((form: HTMLFormElement) => form.submit());
      await expect(page.locator('form [aria-invalid]')).toHaveCount(2);
    },
  },
  {
    name: 'not found',
    async open(page, faults) {
      faults.expect(/^answer 404: GET \/no\/such-page/);
      await page.goto('/no/such-page');
    },
  },
  {
    name: 'login refused',
    async open(page, faults) {
      faults.expect(/^answer 401: /);
      await page.goto('/admin-leads');
      await page.getByLabel('Username').fill('admin');
      await page.getByLabel('Password').fill('not the password');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toContainText('Wrong');
    },
  },
];
