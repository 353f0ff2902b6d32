import { expect } from '@playwright/test';

import { blockCalls } from './support/blocked-calls.ts';
import { chooseInAccountMenu } from './support/console.ts';
import { takePictures } from './support/pictures.ts';
import { payAndArrive } from './support/stripe-page.ts';
import { goToStripe, openSubscribeForm } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

test('the landing page', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await takePictures(page, 'landing');
});

test('the subscribe dialog: empty, with errors, pending and failed', async ({ page, faults }) => {
  faults.expect(/^answer 503: POST \/api\/checkout\/session/);
  faults.expect(/^console error: The checkout could not be opened/);
  const visitor = newVisitor();
  await page.goto('/');
  const form = await openSubscribeForm(page, 'top_sub');
  await takePictures(page, 'dialog', { phoneHeight: 1_400 });
  const place = await form.submit.boundingBox();

  await form.email.fill('priya@northgate');
  await form.submit.click();
  await expect(form.name).toBeFocused();
  await takePictures(page, 'dialog-refused', { phoneHeight: 1_400 });
  expect(await form.submit.boundingBox(), 'on a wide screen errors do not move the button').toEqual(
    place,
  );

  await form.fill(visitor);
  await page.route('**/api/lead/subscribe', (route) =>
    route.fulfill({ status: 201, json: { id: crypto.randomUUID(), beehiivStatus: 'pending' } }),
  );
  const releaseRun = await blockCalls(page, '**/api/checkout/session', (route) =>
    route.fulfill({ status: 503, body: 'no' }),
  );
  await form.submit.click();
  await expect(form.submit).toContainText('Processing...');
  await takePictures(page, 'dialog-under-way', { phoneHeight: 1_400 });

  releaseRun();
  const failure = page.getByText('Subscription failed', { exact: true });
  await expect(failure).toBeVisible();
  // A toast is gone after five seconds.
  await takePictures(page, 'dialog-failed', {
    phoneHeight: 800,
    each: async () => {
      await form.submit.click();
      await expect(form.submit).not.toContainText('Processing...');
      await expect(failure).toBeVisible();
    },
  });
});

test('the sample site, and the page after it', async ({ page, system }) => {
  await page.goto(`${system.sandboxUrl}/sample-site`);
  await takePictures(page, 'sample-site');

  await page.goto('/sample-sent#email=priya.raman@northgate.example');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await takePictures(page, 'sample-sent');
});

test('the checkout, the receipt, and the same page without a checkout', async ({
  page,
  operator,
}) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor, 'bottom_sub');
  await takePictures(page, 'checkout');

  await payAndArrive(page, { name: visitor.fullName });
  await takePictures(page, 'thank-you-confirmed');

  await page.goto('/thank-you');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await takePictures(page, 'thank-you');
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('the 404 page', async ({ page, faults }) => {
  faults.expect(/^answer 404: GET \/register/);
  await page.goto(`/register/${'of-businesses-that-were-sold-long-ago-'.repeat(4)}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await takePictures(page, 'not-found');
});

test('the login, before and after a wrong password', async ({ page, faults }) => {
  faults.expect(/^answer 401: /);
  await page.goto('/admin-leads');
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await takePictures(page, 'login');

  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Wrong');
  await takePictures(page, 'login-refused');
});

test('the console: with leads, dark, empty, and without an API', async ({
  operator,
  operatorPage: page,
  request,
  faults,
}) => {
  faults.expect(/^request failed: GET \/api\/admin\/leads/);
  faults.expect(/^console error: Could not load \/api\/admin\/leads/);
  const long = {
    fullName:
      'Karl-Theodor Freiherr von Donaudampfschifffahrtsgesellschaftskapitän-Rindfleischetikettierung',
  };
  const leads = [
    {
      visitor: newVisitor({ fullName: 'Priya Raman' }),
      status: 'sent',
      more: { utmSource: 'nav_sub' },
    },
    {
      visitor: newVisitor(long),
      status: 'sent',
      more: { utmSource: 'top_sub', utmCampaign: 'hero_subscription' },
    },
    {
      visitor: newVisitor({ fullName: 'فاطمة الزهراء بنت عبد الرحمن' }),
      status: 'sent',
      more: { formType: 'pre_sample' },
    },
    {
      visitor: newVisitor({ fullName: 'A'.repeat(200) }),
      status: 'sent',
      more: { utmSource: 'u'.repeat(200) },
    },
    {
      visitor: newVisitor({ fullName: 'Refused Subscriber', tag: '422' }),
      status: 'failed',
      more: {},
    },
    {
      visitor: newVisitor({ fullName: 'Probably a Robot' }),
      status: 'failed',
      more: { website: 'x' },
    },
    {
      visitor: newVisitor({ fullName: 'Waiting Subscriber', tag: '500' }),
      status: 'pending',
      more: {},
    },
  ] as const;
  for (const { visitor, more } of leads) {
    const answer = await request.post('/api/lead/subscribe', {
      data: { ...visitor, formType: 'pre_buy', ...more },
    });
    expect(answer.status()).toBe(201);
  }
  for (const { visitor, status } of leads) await operator.untilLeadIs(visitor.email, status);

  await page.goto('/admin-leads');
  await expect(page.getByText('Waiting Subscriber').first()).toBeVisible();
  await expect(page.getByText(/^Next attempt in/).first()).toBeVisible();
  await takePictures(page, 'console', { phoneHeight: 1_200 });

  await chooseInAccountMenu(page, 'Dark theme');
  await takePictures(page, 'console-dark', { phoneHeight: 1_200 });
  await chooseInAccountMenu(page, 'Light theme');

  await page.goto('/admin-leads?startDate=2020-01-01&endDate=2020-01-02&formType=pre_sample');
  await expect(page.getByText('No leads found')).toBeVisible();
  await takePictures(page, 'console-empty', { phoneHeight: 1_200 });

  await page.route('**/api/admin/leads', (route) => route.abort());
  await page.goto('/admin-leads');
  await expect(page.getByRole('alert')).toBeVisible();
  await takePictures(page, 'console-unreachable', { phoneHeight: 1_200 });
});
