import { buildFormValues } from '@site/schema/form-fields';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { noteSubscribed, saveDraft } from '../../subscribe/subscribe-draft.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { SubscribeProvider } from '../../subscribe/SubscribeProvider.tsx';
import { show, test } from '../../testing/component-test.tsx';
import { SubscribePage } from './SubscribePage.tsx';

test('the form without scripts names the address that was probably meant, as the dialog does', () => {
  const values = buildFormValues((field) => (field === 'email' ? 'jane@gmail,com' : ''));
  const form = { from: 'nav_sub', values, notice: null, intentId: '', landingPage: '', asked: '' } as const;
  show(<SubscribePage form={{ ...form, faults: { email: 'Invalid email' } }} />);

  expect(screen.getByLabelText(/^Email/).getAttribute('aria-invalid')).toBe('true');
  screen.getByText(/^Invalid email\. Did you mean/);
  // Enter presses the first.
  expect([...document.querySelectorAll<HTMLButtonElement>('[type=submit]')].map(({ value }) => value)).toEqual([
    '',
    'jane@gmail.com',
    '',
  ]);
});

test('without scripts, an address that looks mistyped is asked about', () => {
  const values = buildFormValues((field) => (field === 'email' ? 'jane@gmial.com' : ''));
  const form = { from: 'nav_sub', values, notice: null, intentId: '', landingPage: '', faults: {} } as const;
  show(<SubscribePage form={{ ...form, asked: 'jane@gmial.com' }} />);

  expect(screen.getByText(/Did you mean/).textContent).toBe(
    'Not sent yet. Did you mean jane@gmail.com? If not, continue.',
  );
  expect(screen.getByLabelText(/^Email/).getAttribute('aria-invalid')).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText(/^Email/));
  expect(document.querySelector<HTMLInputElement>('[name=asked]')?.value).toBe('jane@gmial.com');
});

test('who starts again after an expired checkout finds what they sent', () => {
  saveDraft({ from: 'top_sub', values: buildFormValues((field) => (field === 'fullName' ? 'Priya' : '')) });

  show(<SubscribePage />, '/subscribe');

  expect(screen.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Priya');
  expect(screen.queryByText('You came back from Stripe without paying.')).toBeNull();
});

test('who opens the site again after a checkout finds in the dialog what they sent', async ({ user }) => {
  saveDraft({ from: 'top_sub', values: buildFormValues((field) => (field === 'fullName' ? 'Priya' : '')) });
  show(
    <SubscribeProvider>
      <SubscribeButton from="nav_sub">Subscribe Now</SubscribeButton>
    </SubscribeProvider>,
  );

  await user.click(screen.getByRole('button', { name: 'Subscribe Now' }));

  expect((await screen.findByLabelText<HTMLInputElement>('Full Name')).value).toBe('Priya');
  expect(screen.queryByText('You came back from Stripe without paying.')).toBeNull();
});

test('who comes back from Stripe finds what they sent, and its next try keeps the button where it began', async ({
  api,
  user,
  assign,
}) => {
  const values = buildFormValues((field) => ({ fullName: 'Priya', email: 'priya@gmial.com' })[field as string] ?? '');
  saveDraft({ from: 'top_sub', values });
  api.answer('POST /api/lead/subscribe', { id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10', beehiivStatus: 'pending' });
  api.answer('POST /api/checkout/session', { url: 'https://checkout.example/c/pay/cs_1' });
  show(<SubscribePage />, '/subscribe?checkout=cancelled');

  screen.getByText('You came back from Stripe without paying.');
  // It looks mistyped, and was meant.
  expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe('priya@gmial.com');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));

  await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
  expect(api.calls('POST /api/lead/subscribe')[0]?.body).toMatchObject({ utmSource: 'top_sub' });
});

test('who has tried too often is told for how long to wait, in one message', async ({ api, user, logged }) => {
  api.refuse('POST /api/lead/subscribe', 429);
  api.refuse('POST /api/checkout/session', 429, { detail: 'Try again at 16:58 UK time.' });
  show(<SubscribePage />, '/subscribe');
  await user.type(screen.getByLabelText('Full Name'), 'Priya');
  await user.type(screen.getByLabelText(/^Email/), 'priya@reader.example');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));

  await screen.findByText('Too many requests.');
  screen.getByText('Try again at 16:58 UK time. Nothing was charged, and your details are still in the form.');
  expect(screen.queryByText('Subscription failed')).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('who goes offline after a checkout that did not open reads in one message what became of their details', async ({
  api,
  user,
  logged,
}) => {
  api.answer('POST /api/lead/subscribe', { id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10', beehiivStatus: 'pending' });
  api.refuse('POST /api/checkout/session', 503);
  show(<SubscribePage />, '/subscribe');
  await user.type(screen.getByLabelText('Full Name'), 'Priya');
  await user.type(screen.getByLabelText(/^Email/), 'priya@reader.example');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));
  await screen.findByText('The payment page did not open.');
  // Back from another page, which was not Stripe's.
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));
  screen.getByText('The payment page did not open.');

  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));

  await screen.findByText(
    /^You are offline\. Nothing was charged\. We have the details that you sent\. Continue when you are back online\.$/,
  );
  expect(logged).toHaveBeenCalled();
});

test('who has paid and goes back to the form reads that there is a subscription', async ({ api, user, assign }) => {
  api.answer('POST /api/lead/subscribe', { id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10', beehiivStatus: 'pending' });
  api.answer('POST /api/checkout/session', { url: 'https://checkout.example/c/pay/cs_1' });
  show(<SubscribePage />, '/subscribe');
  await user.type(screen.getByLabelText('Full Name'), 'Priya');
  await user.type(screen.getByLabelText(/^Email/), 'priya@reader.example');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));
  await waitFor(() => expect(assign).toHaveBeenCalled());
  // The page of the receipt.
  noteSubscribed();

  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));

  await screen.findByText('You already have a subscription.');
  expect(screen.queryByText('You came back from Stripe without paying.')).toBeNull();
});

test('and so does who has paid and opens the form again', async () => {
  noteSubscribed();

  show(<SubscribePage />, '/subscribe');

  await screen.findByText('You already have a subscription.');
});

test('a suggestion that Tab leads to keeps the focus, although the address has a fault by now', async ({ user }) => {
  show(<SubscribePage />, '/subscribe');
  const email = screen.getByLabelText(/^Email/);
  await user.type(email, 'jane@gmial.com');
  await user.tab();
  await user.tab({ shift: true });
  await user.tab({ shift: true });
  await user.clear(email);
  await user.type(email, 'jane@gmail,com');

  await user.tab();

  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('jane@gmail.com'));
});
