import { expect } from '@playwright/test';

import { onStripe, payAndArrive } from './support/stripe-page.ts';
import { fillSubscribeForm } from './support/subscribe-form.ts';
import { test } from './support/system.fixture.ts';
import { newVisitor } from './support/visitor.ts';

test(
  'a lead above the limit is refused with the time to wait, and its visitor can pay',
  { tag: '@long' },
  async ({ page, request, operator, faults }) => {
    faults.expect(/^answer 429: POST \/api\/lead\/subscribe/);
    faults.expect(/^console error: The lead was not captured/);
    for (const other of [newVisitor(), newVisitor()]) {
      const taken = await request.post('/api/lead/subscribe', {
        data: { ...other, formType: 'pre_buy' },
      });
      expect(taken.status()).toBe(201);
    }
    const visitor = newVisitor();
    const form = await fillSubscribeForm(page, visitor);
    // Read at once, because the body is gone once the page leaves for Stripe.
    const refusals: { status: number; retryAfter: number; problem: unknown }[] = [];
    await page.route('**/api/lead/subscribe', async (route) => {
      const response = await route.fetch();
      refusals.push({
        status: response.status(),
        retryAfter: Number(response.headers()['retry-after']),
        problem: await response.json(),
      });
      await route.fulfill({ response });
    });

    await form.submit.click();

    await onStripe(page);
    expect(refusals[0]).toMatchObject({
      status: 429,
      problem: { status: 429, type: 'urn:problem:too-many-requests' },
    });
    expect(refusals[0]?.retryAfter).toBeGreaterThan(0);
    await payAndArrive(page, { name: visitor.fullName });
    await operator.untilLeadIs(visitor.email, 'sent');
  },
);

test(
  'after five wrong passwords even the right one must wait',
  { tag: '@long' },
  async ({ page, request, system, faults }) => {
    faults.expect(/^answer 401: GET \/api\/admin\/me/);
    faults.expect(/^answer 429: POST \/api\/admin\/login/);
    const { username, password } = system.login;
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const answer = await request.post('/api/admin/login', {
        data: { username, password: `wrong ${attempt}` },
      });
      expect(answer.status()).toBe(401);
    }

    await page.goto('/admin-leads');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();

    await expect(page.getByRole('alert')).toContainText('Too many failed logins.');
  },
);
