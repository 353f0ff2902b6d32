import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { nextIssue } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';
import type { PageSettings } from '@site/schema/page-render';
import { expect, vi } from 'vitest';
import { show, test } from '../../testing/component-test.tsx';
import { ThankYouPage } from './ThankYouPage.tsx';

const RECEIPT = {
  name: 'Priya Raman',
  email: 'priya@northgate.example',
  interval: 'monthly',
  amountPence: 23_900,
  paidTodayPence: 0,
  startedAt: '2025-12-03T10:00:00Z',
  firstChargeAt: '2025-12-10T10:00:00Z',
  vat: null,
} as const;

test('the receipt names the VAT and the buyer’s VAT number where Stripe computes it', async ({
  api,
}) => {
  const paid = { paidTodayPence: 23_900, firstChargeAt: null };
  const vat = { paidTodayPence: 3_983, taxIds: ['GB123456789'] };
  api.answer('GET /api/checkout/session/:id', {
    state: 'confirmed',
    receipt: { ...RECEIPT, ...paid, vat },
  });

  showPage();

  await screen.findByText('£39.83 of what was paid today');
  expect(receipt()?.textContent).toContain('Your VAT numberGB123456789');
});

test('the receipt has no line for a name that Stripe was not told', async ({ api }) => {
  api.answer('GET /api/checkout/session/:id', {
    state: 'confirmed',
    receipt: { ...RECEIPT, name: null },
  });

  showPage();

  await screen.findByText('priya@northgate.example');
  expect(receipt()?.textContent).toContain('monthlySent topriya@northgate.example');
});

function showPage(
  sessionId: string | null = 'cs_test_1',
  checkout?: PageSettings['checkout'],
): void {
  show(
    <ThankYouPage checkout={checkout} />,
    sessionId === null ? '/thank-you' : `/thank-you?session_id=${sessionId}`,
  );
}

/** Lets time pass in steps, and renders the page after each. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 3_000)
    await act(async () => vi.advanceTimersByTimeAsync(3_000));
}

const receipt = () => screen.queryByRole('region', { name: 'Receipt' });

function expectSpecifiedContent(): void {
  screen.getByRole('heading', { level: 1, name: `Welcome to ${OFFER.productName}!` });
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([
      `${OFFER.trialDays}-day trial`,
      expect.stringContaining('Next issue'),
      'Direct access',
    ]),
  );
  expect(screen.getByRole('main').textContent).toContain(`Issue #${nextIssue(new Date()).number}`);
  screen.getByRole('heading', { name: 'Premium benefits' });
  const [support] = screen.getAllByRole('link', { name: OFFER.supportEmail });
  expect(support?.getAttribute('href')).toBe(`mailto:${OFFER.supportEmail}`);
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/');
}

function expectNoWelcome(): void {
  expect(screen.getByRole('main').textContent).not.toMatch(/Welcome|trial|benefits/);
  expect(document.title).not.toContain('Welcome');
  expect(receipt()).toBeNull();
}

test('without a checkout the page shows the benefits and no receipt', ({ api }) => {
  showPage(null);

  expectSpecifiedContent();
  screen.getByText(/^Here is what a subscription to/);
  expect(screen.getByRole('main').textContent).toContain(
    'Refunded in full if you ask within 30 days of the day your trial begins; refunds take 3-5 business days.',
  );
  expect(receipt()).toBeNull();
  expect(screen.queryByRole('heading', { name: 'What to do now' })).toBeNull();
  expect(api.calls('GET /api/checkout/session/:id')).toEqual([]);
});

test('a confirmed checkout fills the receipt and deletes the sample’s email', async ({ api }) => {
  api.answer('GET /api/checkout/session/:id', { state: 'confirmed', receipt: RECEIPT });
  localStorage.setItem('sampleEmail', RECEIPT.email);

  showPage('cs_test/1');

  await screen.findByText(/^Your trial has started\./);
  expectSpecifiedContent();
  screen.getByRole('heading', { name: 'What to do now' });
  expect(screen.queryByRole('link', { name: /^Subscribe/ })).toBeNull();
  for (const text of [`${OFFER.productName}, monthly`, RECEIPT.email, '£239.00 a month', '£0.00']) {
    expect(receipt()?.textContent).toContain(text);
  }
  expect(api.calls('GET /api/checkout/session/:id').map(({ url }) => url.pathname)).toEqual([
    '/api/checkout/session/cs_test%2F1',
  ]);
  // After the page is drawn.
  await waitFor(() => expect(localStorage.getItem('sampleEmail')).toBeNull());
});

test("the server's state is shown at once, and asked for only if unknown", async ({ api }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  showPage('cs_1', { state: 'confirmed', receipt: RECEIPT });
  screen.getByText(/^Your trial has started\./);
  await pass(9_000);
  expect(api.calls('GET /api/checkout/session/:id')).toEqual([]);

  cleanup();
  showPage('cs_2', { state: 'unreachable' });
  screen.getByText(/^We cannot get your receipt right now\./);
  api.answer('GET /api/checkout/session/:id', { state: 'confirmed', receipt: RECEIPT });
  await pass(3_000);
  await screen.findByText(/^Your trial has started\./);
  expect(api.calls('GET /api/checkout/session/:id')).toHaveLength(1);
});

test('the page names the first issue after the trial began, even later', async ({ api }) => {
  api.answer('GET /api/checkout/session/:id', { state: 'confirmed', receipt: RECEIPT });

  showPage();

  await screen.findByText(/^Your trial has started\./);
  expect(screen.getByRole('main').textContent).toContain(
    `Your first issue comes on Tuesday 9 December from ${OFFER.productName}. If it is in your spam folder`,
  );
});

test('an unknown checkout gets a message and no receipt', async ({ api }) => {
  api.refuse('GET /api/checkout/session/:id', 404);

  showPage();

  await screen.findByRole('heading', { level: 1, name: 'We cannot find this checkout' });
  screen.getByText(/^If you paid, Stripe has sent you a receipt\./);
  within(screen.getByRole('banner')).getByRole('link', { name: OFFER.supportEmail });
  screen.getByRole('contentinfo');
  expectNoWelcome();
});

test.for([
  [
    'an open checkout is continued at Stripe',
    'https://checkout.example/c/1',
    'Continue the checkout',
    '',
  ],
  [
    'of another browser’s, only the way on is told',
    null,
    'Start again',
    'Continue it in the browser that opened it, or',
  ],
  [
    'an expired checkout starts again at the form',
    null,
    'Start again',
    'The checkout has expired;',
  ],
] as const)('%s, and nothing was charged', async ([, url, name, told], { api }) => {
  api.answer('GET /api/checkout/session/:id', {
    state: 'unfinished',
    url,
    isExpired: told.includes('expired'),
  });

  showPage();

  await screen.findByRole('heading', { level: 1, name: 'This checkout is not finished' });
  const said = screen.getByText(/^Nothing was charged\./).textContent;
  expect(said).toMatch(
    new RegExp(`^Nothing was charged\\. ${told}.* ?A question\\? Write to`, 'u'),
  );
  expect(said?.includes('start again')).toBe(told !== '');
  within(screen.getByRole('banner')).getByRole('link', { name: OFFER.supportEmail });
  screen.getByRole('contentinfo');
  expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(url ?? '/subscribe');
  expectNoWelcome();
});

test('a checkout that stays open is polled ten times, then again on a click', async ({
  api,
  user,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  api.answer('GET /api/checkout/session/:id', { state: 'processing' });
  showPage();
  await screen.findByText(/^Stripe is still confirming/);

  await pass(120_000);

  await screen.findByText(/^Stripe has not confirmed yet\. Nothing is lost/);
  expect(api.calls('GET /api/checkout/session/:id')).toHaveLength(11);
  api.answer('GET /api/checkout/session/:id', { state: 'confirmed', receipt: RECEIPT });
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  await screen.findByText(/^Your trial has started\./);
});

test('a receipt is fetched again when the visitor is back online', async ({ api }) => {
  api.refuse('GET /api/checkout/session/:id', 503);
  showPage();
  await screen.findByText(/^We cannot get your receipt/);
  expect(receipt()).toBeNull();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  screen.getByText('You are offline. Your receipt appears here when you are back online.');
  expect(screen.queryByText(/^We cannot get your receipt/)).toBeNull();

  api.answer('GET /api/checkout/session/:id', { state: 'confirmed', receipt: RECEIPT });
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));

  await screen.findByText(/^Your trial has started\./);
});
