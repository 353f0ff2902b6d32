// In a browser, through the proxy: a visitor subscribes and pays, and the operator logs in and sees
// the lead sent.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { check, createStack, ROOT } from './stack.mjs';

// Uses the browser of the end-to-end tests.
const requireFromTests = createRequire(`${ROOT}/e2e/package.json`);
const { chromium } = requireFromTests('@playwright/test');
const { default: binary } = await import(
  pathToFileURL(requireFromTests.resolve('@sparticuz/chromium')).href
);
const NOT_FOR_PAGES = [
  '--disable-web-security',
  '--single-process',
  '--disable-site-isolation-trials',
];

export async function drill() {
  const stack = await createStack('journey');
  let browser;
  try {
    await stack.up();
    browser = await chromium.launch({
      executablePath: await binary.executablePath(),
      args: binary.args.filter((argument) => !NOT_FOR_PAGES.includes(argument)),
    });
    const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1280, height: 900 } });
    const errors = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));

    const { username, password } = await stack.login();
    const watching = await browser.newPage({
      locale: 'en-GB',
      viewport: { width: 1440, height: 900 },
    });
    await watching.goto(`${stack.url}/admin-leads`);
    await watching.getByLabel('Username').fill(username);
    await watching.getByLabel('Password').fill(password);
    await watching.getByRole('button', { name: 'Log in' }).click();
    await watching.getByText(/^Live, /).waitFor();
    check(true, 'the operator logs in, and the console is live');

    const email = `visitor-${Date.now()}@example.com`;
    await page.goto(stack.url);
    await page.getByRole('banner').getByRole('button', { name: 'Subscribe Now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Full Name').fill('Vera Visitor');
    await dialog.getByLabel('Email Address').fill(email);
    // A faster submission would be quarantined.
    await page.waitForTimeout(1_600);
    await dialog.locator('button[type=submit]').click();
    await page.waitForURL(/\/c\/pay\/cs_/);
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Cardholder name').fill('Vera Visitor');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.waitForURL(/\/thank-you\?session_id=/);
    await page.getByRole('heading', { name: /^Welcome to / }).waitFor();
    check(true, 'a visitor subscribes, pays, and is welcomed');
    check(
      errors.length === 0,
      `no errors in the browser's console${errors.map((error) => `\n      ${error}`).join('')}`,
    );

    // Without a click or reload in between, so the proxy passes the event stream on at once.
    const row = watching.getByRole('row').filter({ hasText: email });
    await row.getByText('Sent').first().waitFor();
    check(true, 'the lead appears in the console automatically and becomes Sent');

    const paid = await stack.sql(`select status from subscriptions where email = '${email}'`);
    check(
      paid === 'trialing',
      `the webhook came through the proxy: the subscription is ${paid || 'missing'}`,
    );
    const hidden = await fetch(`${stack.url}/metrics`);
    check(hidden.status === 404, '/metrics is not forwarded');
    if (process.env.DRILL_PICTURES) {
      await page.screenshot({ path: `${process.env.DRILL_PICTURES}/thank-you.png` });
      await watching.screenshot({ path: `${process.env.DRILL_PICTURES}/console.png` });
    }
  } finally {
    await browser?.close();
    await stack.remove();
  }
}
