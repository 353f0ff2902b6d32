import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { problemType } from '@site/schema/problem';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { expect, vi } from 'vitest';
import { chooseConsent } from '../../analytics/consent.ts';
import { provideSiteSettings } from '../../site-settings.ts';
import { show, test } from '../../testing/component-test.tsx';
import { SampleSentPage } from './SampleSentPage.tsx';

const CHECKOUT_URL = 'https://checkout.example/c/pay/cs_1';
const monthly = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: /^Get 15% Off – Monthly/ });
const annual = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: /^Go Annual – Save 25%/ });

test.beforeEach(({ api }) => {
  api.answer('POST /api/track', undefined);
  api.answer('POST /api/checkout/upsell', { url: CHECKOUT_URL });
});

test('an offer whose checkout fails is logged, shows an error, and can be tried again', async ({
  api,
  user,
  assign,
  logged,
}) => {
  api.refuse('POST /api/checkout/upsell', 503);
  show(<SampleSentPage />, '/sample-sent');

  await user.click(monthly());

  await screen.findByText(/^The payment page did not open\./);
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    'The upsell checkout could not be opened',
    expect.any(Error),
  );
  expect(monthly().getAttribute('aria-disabled')).toBeNull();
  expect(screen.queryByText('Subscription failed')).toBeNull();

  api.answer('POST /api/checkout/upsell', { url: CHECKOUT_URL });
  await user.click(monthly());

  await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
  const [first, second] = api.calls('POST /api/checkout/upsell');
  expect(second?.headers.get('Idempotency-Key')).toBe(first?.headers.get('Idempotency-Key'));
});

test('an offer shows a subscriber where to manage the subscription', async ({ api, user }) => {
  vi.spyOn(console, 'error').mockReturnValue();
  api.refuse('POST /api/checkout/upsell', 409, { type: problemType('already-subscribed') });
  show(<SampleSentPage />, '/sample-sent');

  await user.click(annual());

  await screen.findByText('This address already has a subscription.');
  expect(screen.queryByText(/^The payment page did not open/)).toBeNull();
});

test('too many presses of an offer show how long to wait', async ({ api, user }) => {
  vi.spyOn(console, 'error').mockReturnValue();
  const detail = 'Try again at 16:58 UK time.';
  api.refuse('POST /api/checkout/upsell', 429, { type: problemType('too-many-requests'), detail });
  show(<SampleSentPage />, '/sample-sent');

  await user.click(annual());

  await screen.findByText('Too many requests.');
  screen.getByText(`${detail} Nothing was charged.`);
});

test('an offer pressed offline has a note below its button until online again', async ({
  api,
  user,
}) => {
  vi.spyOn(console, 'error').mockReturnValue();
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  api.disconnect('POST /api/checkout/upsell');
  show(<SampleSentPage />, '/sample-sent');

  await user.click(monthly());

  await screen.findByText(
    'You are offline. Nothing was charged. Continue when you are back online.',
  );
  expect(screen.queryByText(/^The payment page did not open/)).toBeNull();
  onLine.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  screen.getByText('You are back online. Nothing was charged. Choose again.');
  expect(screen.queryByText(/^The payment page/)).toBeNull();
});

test('an offer opens its checkout even if the click cannot be counted', async ({
  api,
  user,
  assign,
}) => {
  api.disconnect('POST /api/track');
  show(<SampleSentPage />, '/sample-sent');

  await user.click(monthly());

  await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
});

test('both offers are measured with consent', async ({ api, user, logged }) => {
  provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, analyticsId: 'G-TEST' });
  chooseConsent('accepted');
  api.refuse('POST /api/checkout/upsell', 503);
  show(<SampleSentPage />, '/sample-sent');

  for (const offer of [monthly, annual]) {
    await user.click(offer());
    await waitFor(() => expect(offer().getAttribute('aria-disabled')).toBeNull());
  }

  const { dataLayer = [] } = window as { dataLayer?: ArrayLike<unknown>[] };
  expect(dataLayer.map((entry) => [...(entry as unknown[])])).toEqual([
    ['event', 'cta-monthly-15', { page: 'sample-sent' }],
    ['event', 'cta-annual-25', { page: 'sample-sent' }],
  ]);
  expect(logged).toHaveBeenCalledTimes(2);
});

test('an offer is a plain form, which works without scripts', () => {
  show(<SampleSentPage />, '/sample-sent');

  for (const [button, plan] of [
    [monthly(), 'monthly15'],
    [annual(), 'annual25'],
  ] as const) {
    expect([button.type, button.name, button.value]).toEqual(['submit', 'plan', plan]);
    expect([button.form?.method, button.form?.getAttribute('action')]).toEqual([
      'post',
      '/sample-sent',
    ]);
  }
});

test('a return from Stripe without payment shows that nothing was charged', async ({
  api,
  user,
}) => {
  vi.spyOn(console, 'error').mockReturnValue();
  api.refuse('POST /api/checkout/upsell', 503);
  show(<SampleSentPage />, '/sample-sent?checkout=cancelled&utm_source=news');
  const returned = screen.getByText('You came back from Stripe without paying.');
  expect(window.location.search).toBe('?utm_source=news');

  await user.click(monthly());

  await screen.findByText(/^The payment page did not open\./);
  expect(returned.isConnected).toBe(false);
});

test('the browser’s Back button on Stripe says the same', async ({ user, assign }) => {
  show(<SampleSentPage />, '/sample-sent');
  await user.click(monthly());
  await waitFor(() => expect(assign).toHaveBeenCalled());

  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));

  screen.getByText('You came back from Stripe without paying.');
});
