import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { SUBSCRIBE_BUTTONS } from '@site/schema/lead';
import type { SubscribeButton } from '@site/schema/lead';
import { OFFER } from '@site/schema/offer';

import { blockCalls } from './support/blocked-calls.ts';
import type { Operator } from './support/operator.ts';
import type { SandboxControl } from './support/sandbox-control.ts';
import {
  checkoutIdOf,
  DECLINED_CARD,
  onStripe,
  pay,
  payAndArrive,
  welcome,
} from './support/stripe-page.ts';
import {
  fillSubscribeForm,
  goToStripe,
  openSubscribeForm,
  subscribeForm,
} from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';
import type { Visitor } from './support/visitor.ts';

/** Bodies of the calls the page makes from now on, by path. */
function recordPosts(page: Page) {
  const posts: { path: string; body: unknown }[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') {
      posts.push({
        path: new URL(request.url()).pathname,
        body: request.postDataJSON() as unknown,
      });
    }
  });
  return {
    paths: () => posts.map(({ path }) => path),
    to: (path: string) => posts.filter((post) => post.path === path).map(({ body }) => body),
  };
}

/** Waits until the visitor's lead is at Beehiiv, with the button that brought it. */
async function untilSent(
  { operator, sandbox }: { operator: Operator; sandbox: SandboxControl },
  visitor: Visitor,
  button: SubscribeButton,
) {
  const campaign = SUBSCRIBE_BUTTONS[button];
  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead).toMatchObject({
    ...visitor,
    formType: 'pre_buy',
    utmSource: button,
    utmCampaign: campaign,
  });
  const subscriber = await sandbox.subscriber(visitor.email);
  expect(subscriber).toMatchObject({ utm_source: button, utm_campaign: campaign });
  return { lead, subscriber: subscriber! };
}

test('a visitor pays, gets a receipt, and is in the console as sent', async ({
  page,
  operator,
  operatorPage,
  sandbox,
  faults,
}) => {
  faults.expect(/^answer 409: POST \/api\/checkout\/session/);
  const visitor = newVisitor();
  await operatorPage.goto(`/admin-leads?search=${visitor.email}`);
  const sent = (count: number) =>
    operatorPage.getByRole('link', { name: `Beehiiv Sent ${count}`, exact: true });
  await expect(sent(0)).toBeVisible();
  const posts = recordPosts(page);
  const release = await blockCalls(page, '**/api/checkout/session');

  const form = await fillSubscribeForm(page, visitor, 'top_sub');
  await form.submit.click();
  await expect(form.submit).toContainText('Processing...');
  release();
  await onStripe(page);
  await expect(page.getByLabel('Email')).toHaveValue(visitor.email);
  await pay(page);

  await page.waitForURL(/\/thank-you\?session_id=cs_/);
  await expect(
    page.getByRole('heading', { level: 1, name: `Welcome to ${OFFER.productName}!` }),
  ).toBeVisible();
  await expect(welcome(page)).toBeVisible();
  const receipt = page.getByRole('region', { name: 'Receipt' });
  for (const text of [`${OFFER.productName}, monthly`, visitor.email, '£239.00 a month', '£0.00']) {
    await expect(receipt).toContainText(text);
  }

  const { lead, subscriber } = await untilSent({ operator, sandbox }, visitor, 'top_sub');
  expect(posts.to('/api/lead/subscribe')).toEqual([
    expect.objectContaining({
      ...visitor,
      formType: 'pre_buy',
      consentMarketing: true,
      clickedSubscribe: true,
    }),
  ]);
  expect(posts.to('/api/checkout/session')).toEqual([{ email: visitor.email, leadId: lead.id }]);
  expect(lead).toMatchObject({
    consentMarketing: true,
    consentTimestamp: expect.any(String),
    landingPage: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    deviceType: 'desktop',
    beehiivResponse: expect.stringMatching(/./),
    beehiivSentAt: expect.any(String),
  });
  expect(subscriber.last_request).not.toHaveProperty('reactivate_existing');
  expect(
    Object.fromEntries(subscriber.custom_fields.map(({ name, value }) => [name, value])),
  ).toMatchObject({
    full_name: visitor.fullName,
    company: visitor.company,
    phone: visitor.phone,
    form_type: 'pre_buy',
    lead_id: lead.id,
  });
  await expect(sent(1)).toBeVisible();
  await operatorPage.reload();
  const row = operatorPage.getByRole('row').filter({ hasText: visitor.email });
  await expect(row).toContainText(/Pre-Buy.*Sent/);
  await expect(row).toContainText('Top of the page');

  // Going back from the receipt, and a second attempt to subscribe, must not charge anybody twice.
  await page.goBack();
  await expect(page.getByText('This checkout is complete.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeHidden();
  await page.goForward();
  await expect(welcome(page)).toBeVisible();
  const again = await fillSubscribeForm(page, visitor);
  await again.submit.click();
  await expect(again.dialog).toContainText('To see, change or cancel it');
  await expect(again.dialog.getByRole('link', { name: 'Manage subscription' })).toBeVisible();
});

test('after cancelling on Stripe the form is as it was, and a second card can pay', async ({
  page,
  operator,
  sandbox,
}) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor, 'bottom_sub');

  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  const form = subscribeForm(page);
  await expect(form.dialog).toBeVisible();
  await form.expectFilledWith(visitor);
  await expect(page).toHaveURL('/');
  // The button is at the page's foot.
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000);
  await form.submit.click();
  await onStripe(page);

  await pay(page, { card: DECLINED_CARD });
  await expect(page.getByRole('alert')).toContainText('Your card was declined.');
  await payAndArrive(page);
  await page.reload();
  await expect(welcome(page)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText(visitor.email);
  await untilSent({ operator, sandbox }, visitor, 'bottom_sub');
});

test('a checkout in two tabs is paid once, both show the receipt, a third is refused', async ({
  page,
  context,
  operator,
  sandbox,
  faults,
}) => {
  faults.expect(/^answer 409: POST \/api\/checkout\/session/);
  const visitor = newVisitor();
  const third = await context.newPage();
  await third.goto('/');
  const waiting = await openSubscribeForm(third, 'top_sub');
  await waiting.fill(visitor);
  await page.bringToFront();
  await goToStripe(page, visitor, 'bottom_sub');
  const other = await context.newPage();
  await other.goto(`/thank-you?session_id=${checkoutIdOf(page)}`);
  await expect(other.getByText('Nothing was charged.')).toBeVisible();

  await payAndArrive(page);

  await other.reload();
  await expect(welcome(other)).toBeVisible();
  await waiting.submit.click();
  await expect(waiting.dialog).toContainText('To see, change or cancel it');
  await untilSent({ operator, sandbox }, visitor, 'bottom_sub');
});

test('a double click makes one checkout, and Back from Stripe leaves a form to send', async ({
  page,
  operator,
  sandbox,
}) => {
  const visitor = newVisitor();
  const posts = recordPosts(page);
  const sessionsBefore = await sandbox.countStripeRequests('POST', '/v1/checkout/sessions');
  const form = await fillSubscribeForm(page, visitor);

  await form.submit.dblclick();

  await onStripe(page);
  expect(posts.paths()).toEqual(['/api/lead/subscribe', '/api/checkout/session']);
  expect(await sandbox.countStripeRequests('POST', '/v1/checkout/sessions')).toBe(
    sessionsBefore + 1,
  );
  await operator.untilLeadIs(visitor.email, 'sent');

  await page.goBack();
  await expect(form.dialog).toContainText('You came back from Stripe without paying.');
  await expect(page.getByText('Processing...')).toBeHidden();
  await form.expectFilledWith(visitor);
  // Only once, because a reload is not a return from Stripe.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
