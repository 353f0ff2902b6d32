import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { SUBSCRIBE_BUTTONS } from '@site/schema/lead';
import type { SubscribeButton } from '@site/schema/lead';
import { OFFER } from '@site/schema/offer';

import { blockCalls } from './blocked-calls.ts';
import { onStripe, pay, payAndArrive, welcome } from './stripe-page.ts';
import { fillSubscribeForm, goToStripe, openSubscribeForm, subscribeButton, subscribeForm } from './subscribe-form.ts';
import { test } from './system.fixture.ts';
import { newVisitor } from './visitor.ts';

const WELCOME = `Welcome to ${OFFER.productName}!`;

/** Bodies of the calls the page makes from now on, by path. */
function recordPosts(page: Page) {
  const posts: { path: string; body: unknown }[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') {
      posts.push({ path: new URL(request.url()).pathname, body: request.postDataJSON() as unknown });
    }
  });
  return {
    to: (path: string) => posts.filter((post) => post.path === path).map((post) => post.body),
    all: () => posts,
  };
}

for (const button of Object.keys(SUBSCRIBE_BUTTONS) as SubscribeButton[]) {
  test(`a visitor who subscribes with the button ${button} pays, is welcomed, and stands in the console as sent`, async ({
    page,
    operator,
    operatorPage,
    sandbox,
  }) => {
    const visitor = newVisitor();
    // The counters of this address alone: other leads may still be on their way.
    await operatorPage.goto(`/admin-leads?search=${visitor.email}`);
    const sent = (count: number) => operatorPage.getByRole('link', { name: `Beehiiv Sent ${count}`, exact: true });
    await expect(sent(0)).toBeVisible();
    const posts = recordPosts(page);
    // The way to Stripe opens once the button was seen at work, however quick the API is.
    const releaseRun = await blockCalls(page, '**/api/checkout/session');

    const form = await fillSubscribeForm(page, visitor, button);
    await form.submit.click();
    await expect(form.submit).toContainText('Processing...');
    await expect(form.dialog.getByRole('status')).toHaveText('Please wait, the checkout is being opened.');
    releaseRun();
    await onStripe(page);
    await expect(page.getByLabel('Email')).toHaveValue(visitor.email);
    await pay(page);

    await page.waitForURL(/\/thank-you\?session_id=cs_/);
    await expect(page.getByRole('heading', { level: 1, name: WELCOME })).toBeVisible();
    const receipt = page.getByRole('region', { name: 'Receipt' });
    await expect(welcome(page)).toBeVisible();
    await expect(receipt).toContainText(`${OFFER.productName}, monthly`);
    await expect(receipt).toContainText(visitor.email);
    await expect(receipt).toContainText('£239.00 a month');
    await expect(receipt).toContainText('£0.00');

    const lead = await operator.untilLeadIs(visitor.email, 'sent');
    const told = {
      ...visitor,
      formType: 'pre_buy',
      utmSource: button,
      utmCampaign: SUBSCRIBE_BUTTONS[button],
      consentMarketing: true,
    };
    expect(posts.to('/api/lead/subscribe')).toEqual([expect.objectContaining({ ...told, clickedSubscribe: true })]);
    expect(posts.to('/api/checkout/session')).toEqual([{ email: visitor.email, leadId: lead.id }]);
    expect(lead).toMatchObject({
      ...told,
      consentTimestamp: expect.any(String),
      landingPage: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
      deviceType: 'desktop',
      beehiivResponse: expect.stringMatching(/./),
      beehiivSentAt: expect.any(String),
    });

    const subscriber = await sandbox.subscriber(visitor.email);
    expect(subscriber).toMatchObject({
      utm_source: button,
      utm_campaign: SUBSCRIBE_BUTTONS[button],
      last_request: { reactivate_existing: true },
    });
    expect(Object.fromEntries(subscriber!.custom_fields.map(({ name, value }) => [name, value]))).toMatchObject({
      full_name: visitor.fullName,
      company: visitor.company,
      phone: visitor.phone,
      form_type: 'pre_buy',
      lead_id: lead.id,
    });

    await operatorPage.reload();
    await expect(sent(1)).toBeVisible();
    const row = operatorPage.getByRole('row').filter({ hasText: visitor.email });
    await expect(row).toContainText(/Pre-Buy.*Sent/);
    await expect(row).toContainText(button);
  });
}

test('an address with a subscription is told so in the dialog and not taken to checkout again', async ({
  page,
  faults,
  operator,
}) => {
  faults.expect(/^answer 409: POST \/api\/checkout\/session/);
  const visitor = newVisitor();
  const subscribe = async () => {
    const form = await fillSubscribeForm(page, visitor);
    await form.submit.click();
    return form;
  };
  await subscribe();
  await onStripe(page);
  await payAndArrive(page);

  const form = await subscribe();

  await expect(form.dialog).toContainText(OFFER.supportEmail);
  await expect(form.dialog).toContainText('To see, change or cancel it');
  await form.expectFilledWith(visitor);
  await operator.untilLeadIs(visitor.email, 'sent');
});

test('what is not valid is said beside its field, the first such field is focused, and nothing is sent', async ({
  page,
}) => {
  const posts = recordPosts(page);
  await page.goto('/');
  const form = await openSubscribeForm(page, 'top_sub');

  await form.submit.click();

  await expect(form.name).toBeFocused();
  await expect(form.name).toHaveAccessibleDescription('Required');
  await expect(form.email).toHaveAccessibleDescription('Enter your email address');

  await form.name.fill('Priya Raman');
  await form.email.fill('priya@northgate');
  await form.submit.click();

  await expect(form.email).toBeFocused();
  await expect(form.email).toHaveAccessibleDescription('The address needs an ending, as in name@company.co.uk');
  await expect(form.name).not.toHaveAttribute('aria-invalid');
  await expect(form.dialog).toBeVisible();

  await form.email.fill('priya@northgate.example');
  await expect(form.email).not.toHaveAttribute('aria-invalid');
  expect(posts.all()).toEqual([]);
});

test('a slip in a common domain is pointed out, and put right with one press', async ({ page }) => {
  await page.goto('/');
  const form = await openSubscribeForm(page, 'nav_sub');

  await form.email.fill('priya@gmial.com');
  await form.company.focus();
  await form.dialog.getByRole('button', { name: 'priya@gmail.com' }).click();

  await expect(form.email).toHaveValue('priya@gmail.com');
  await expect(form.dialog).not.toContainText('Did you mean');
});

test('closing the dialog, by Escape or by a press outside, keeps what was typed and gives the focus back', async ({
  page,
}) => {
  const visitor = newVisitor();
  await page.goto('/');
  let form = await openSubscribeForm(page, 'top_sub');
  await form.fill(visitor);

  await page.keyboard.press('Escape');

  await expect(form.dialog).toBeHidden();
  await expect(subscribeButton(page, 'top_sub')).toBeFocused();
  form = await openSubscribeForm(page, 'nav_sub');
  await form.expectFilledWith(visitor);

  await page.mouse.click(5, 450);

  await expect(form.dialog).toBeHidden();
  await expect(subscribeButton(page, 'nav_sub')).toBeFocused();
  form = await openSubscribeForm(page, 'bottom_sub');
  await form.expectFilledWith(visitor);
});

// The last size is what the keyboard of a small phone leaves of the window.
for (const size of [
  { width: 390, height: 664 },
  { width: 360, height: 640 },
  { width: 360, height: 320 },
]) {
  test(`at ${size.width} by ${size.height} the dialog holds the whole form, and scrolls to its button`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    await page.goto('/');
    const { dialog, name, submit } = await openSubscribeForm(page, 'top_sub');

    await submit.scrollIntoViewIfNeeded();
    await expect(submit).toBeInViewport({ ratio: 0.99 });
    const edges = async (part: Locator) =>
      part.evaluate((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        return { top, bottom, left, right };
      });
    const panel = await edges(dialog);
    const steps = await edges(dialog.getByRole('region', { name: 'What happens next' }));
    expect(panel).toMatchObject({ left: 0, right: size.width });
    expect((await edges(submit)).bottom).toBeLessThan(steps.top);
    expect(steps.bottom).toBeLessThanOrEqual(panel.bottom);

    await submit.click();
    await expect(name).toBeFocused();
    await expect(name).toBeInViewport({ ratio: 0.99 });
  });
}

test('a double click on submit makes one lead and one checkout', async ({ page, operator, sandbox }) => {
  const visitor = newVisitor();
  const posts = recordPosts(page);
  const sessionsBefore = await sandbox.countStripeRequests('POST', '/v1/checkout/sessions');
  const form = await fillSubscribeForm(page, visitor);

  await form.submit.dblclick();

  await onStripe(page);
  expect(posts.all().map((post) => post.path)).toEqual(['/api/lead/subscribe', '/api/checkout/session']);
  expect(await sandbox.countStripeRequests('POST', '/v1/checkout/sessions')).toBe(sessionsBefore + 1);
  await operator.untilLeadIs(visitor.email, 'sent');
});

for (const { what, fault, fail } of [
  {
    what: 'cannot be reached',
    fault: /^request failed: POST \/api\/lead\/subscribe/,
    fail: (page: Page) => page.route('**/api/lead/subscribe', (route) => route.abort()),
  },
  {
    what: 'answers 500',
    fault: /^answer 500: POST \/api\/lead\/subscribe/,
    fail: (page: Page) => page.route('**/api/lead/subscribe', (route) => route.fulfill({ status: 500, body: 'no' })),
  },
]) {
  test(`when the lead call ${what}, checkout goes on, and the payment brings the lead after all`, async ({
    page,
    operator,
    faults,
  }) => {
    faults.expect(fault);
    faults.expect(/^console error: The lead was not captured/);
    const visitor = newVisitor();
    await fail(page);
    const form = await fillSubscribeForm(page, visitor, 'bottom_sub');

    await form.submit.click();
    await onStripe(page);
    expect(await operator.leadsOf(visitor.email)).toEqual([]);
    await payAndArrive(page, { name: visitor.fullName });
    const lead = await operator.untilLeadIs(visitor.email, 'sent');
    expect(lead.formType).toBe('pre_buy');
  });
}

test('turning back from Stripe opens the form again as it was, and it can be sent again', async ({
  page,
  operator,
}) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor, 'bottom_sub');

  await page.getByRole('link', { name: 'Cancel and go back' }).click();

  const again = subscribeForm(page);
  await expect(again.dialog).toBeVisible();
  await again.expectFilledWith(visitor);
  await expect(page).toHaveURL('/');

  await again.submit.click();
  await onStripe(page);
  const lead = await operator.untilLeadIs(visitor.email, 'sent');
  expect(lead.utmSource).toBe('bottom_sub');
});

test("the browser's own Back button from Stripe leaves a form that can be sent again", async ({ page, operator }) => {
  const visitor = newVisitor();
  await goToStripe(page, visitor, 'nav_sub');

  await page.goBack();

  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Processing...')).toBeHidden();
  await operator.untilLeadIs(visitor.email, 'sent');
});
