import { expect } from '@playwright/test';
import type { Route } from '@playwright/test';
import { OFFER } from '@site/schema/offer';

import { onStripe, pay } from './support/stripe-page.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

test.use({ javaScriptEnabled: false });

test('without scripts the page is whole, and its form is a page that reaches checkout', async ({
  page,
  sandbox,
  operator,
  faults,
}) => {
  // The page names its scripts.
  faults.expect(/^request failed: GET \/assets\/.*js: csp/);
  faults.expect(/^answer 422: POST \/subscribe/);
  faults.expect(/^answer 503: POST \/subscribe/);
  const visitor = newVisitor();
  const email = page.getByLabel('Email Address');
  const send = page.getByRole('button', { name: 'Continue to checkout' });
  await page.goto('/?utm_source=news&utm_medium=email&gclid=click-1');
  const [question, answer] = [
    page.locator('#faq summary').first(),
    page.locator('#faq details > div').first(),
  ];
  await expect(answer).toBeHidden();
  await question.click();
  await expect(answer).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'Download Free Sample', exact: true }),
  ).toHaveAttribute('target', '_blank');

  await page.locator('#subscribe').getByRole('button', { name: 'Subscribe Now' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: `Subscribe to ${OFFER.productName}` }),
  ).toBeVisible();
  await page.getByLabel('Full Name').fill(visitor.fullName);
  await email.fill('priya@gmail,com');
  await page.getByLabel('Company (Optional)').fill(visitor.company);
  await page.getByLabel('Phone (Optional)').fill(visitor.phone);
  await send.click();

  await expect(page).toHaveTitle(/^Please check/);
  await expect(page.getByLabel('Full Name')).toHaveValue(visitor.fullName);
  await expect(email).toHaveValue('priya@gmail,com');
  await expect(email).toHaveAccessibleDescription(
    'Invalid email. After the @ it has a comma instead of a dot. Did you mean priya@gmail.com?',
  );
  await expect(email).toBeFocused();

  await email.fill(visitor.email);
  await sandbox.fault({ target: 'stripe', mode: 'status', status: 500 });
  await send.click();
  await expect(page.getByText('The payment page cannot be reached right now.')).toBeVisible();
  await expect(email).toHaveValue(visitor.email);
  // The browser posts the same form again.
  await page.reload();
  await expect(page.getByText('The payment page cannot be reached right now.')).toBeVisible();
  await expect(email).toHaveValue(visitor.email);

  await sandbox.heal();
  await send.click();
  await page.waitForURL(/\/c\/pay\/cs_/);
  await page.goBack();
  await expect(email).toHaveValue(visitor.email);
  await send.click();
  await page.waitForURL(/\/c\/pay\/cs_/);
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await expect(page.getByText('You came back from Stripe without paying.')).toBeVisible();
  await expect(page).toHaveURL('/subscribe?from=bottom_sub&checkout=cancelled');
  await page.getByLabel('Full Name').fill(visitor.fullName);
  await email.fill(visitor.email);
  await send.click();
  await page.waitForURL(/\/c\/pay\/cs_/);
  const { id } = await operator.untilLeadIs(visitor.email, 'sent');
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['receipts']);
  const { lead } = await (await operator.page.request.get(`/api/admin/leads/${id}`)).json();
  expect(lead).toMatchObject({
    ...visitor,
    formType: 'pre_buy',
    utmSource: 'bottom_sub',
    utmCampaign: 'urgency_subscription',
    visitUtmSource: 'news',
    visitUtmMedium: 'email',
    gclid: 'click-1',
    consentMarketing: true,
  });

  await pay(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Welcome to ${OFFER.productName}!`,
  );
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(visitor.email);
});

test.describe('with scripts', () => {
  test.use({ javaScriptEnabled: true });

  test('a button pressed before the scripts load opens a form that reaches checkout', async ({
    page,
  }) => {
    const visitor = newVisitor();
    await page.route('**/assets/*.js', () => undefined);
    await page.goto('/', { waitUntil: 'commit' });

    await page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }).click();

    await expect(page).toHaveURL('/subscribe?from=nav_sub');
    await page.getByLabel('Full Name').fill(visitor.fullName);
    await page.getByLabel('Email Address').fill(visitor.email);
    await page.getByRole('button', { name: 'Continue to checkout' }).click();
    await onStripe(page);
  });

  test('late scripts keep the text typed on the form’s own page, which the browser posts', async ({
    page,
    operator,
  }) => {
    const { fullName, email } = newVisitor();
    const held: Route[] = [];
    let isHeld = true;
    await page.route('**/assets/*.js', (route) =>
      isHeld ? void held.push(route) : route.continue(),
    );
    await page.goto('/subscribe?from=top_sub', { waitUntil: 'commit' });
    await page.getByLabel('Full Name').fill(fullName);
    await page.getByLabel('Email Address').fill(email);

    isHeld = false;
    await Promise.all(held.map((route) => route.continue()));
    await page.waitForLoadState('networkidle');
    await expect(page.getByLabel('Full Name')).toHaveValue(fullName);
    const posted = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('button', { name: 'Continue to checkout' }).click();
    expect(new URL((await posted).url()).pathname).toBe('/subscribe');
    await onStripe(page);
    expect((await operator.untilLeadIs(email, 'sent')).utmSource).toBe('top_sub');
  });
});
