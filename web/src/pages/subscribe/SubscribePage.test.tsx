import { buildFormValues } from '@site/schema/form-fields';
import type { PlainAnswer } from '@site/schema/page-render';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { renderPage } from '../../entry-server.tsx';
import { SiteRoutes } from '../../routes.tsx';
import { provideSiteSettings } from '../../site-settings.ts';
import { dropDraft, noteDeparture, saveDraft } from '../../subscribe/subscribe-draft.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { SubscribeProvider } from '../../subscribe/SubscribeProvider.tsx';
import { show, test } from '../../testing/component-test.tsx';
import { SubscribePage } from './SubscribePage.tsx';

const LEAD = { id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10', beehiivStatus: 'pending' } as const;
const ANSWER = { from: 'top_sub', notice: null, faults: {} } as const;
const emailField = () => screen.getByLabelText<HTMLInputElement>(/^Email/);

/** Shows what the server answers to an email, before scripts. Returns what lets them come. */
async function showAnswer(email: string, answer: Omit<PlainAnswer, 'email'>): Promise<() => void> {
  const values = buildFormValues((field) => (field === 'email' ? email : ''));
  const form = { ...answer, values, intentId: '', landingPage: '' };
  const site = DEFAULT_SITE_SETTINGS;
  window.history.replaceState(null, '', '/subscribe');
  const { body } = await renderPage({ address: '/subscribe', site, now: new Date(), form });
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = body;
  return () => {
    provideSiteSettings({ ...site, answer: { ...answer, email } });
    // As in production: React's strict mode would tell the form of its fields twice.
    render(<SiteRoutes />, { container, hydrate: true });
  };
}

test('a suggestion is text without scripts and a button with them', async ({ user, logged }) => {
  const bringScripts = await showAnswer('jane@gmail,com', {
    ...ANSWER,
    faults: { email: 'Invalid email' },
  });

  expect(emailField().getAttribute('aria-invalid')).toBe('true');
  expect(emailField().autofocus).toBe(true);
  expect(screen.getByText(/Did you mean/).textContent).toMatch(
    /^Invalid email\. .*Did you mean jane@gmail\.com\?$/,
  );
  // Enter presses the first button, and no suggestion.
  expect(
    [...document.querySelectorAll('form button')].map(({ textContent }) => textContent),
  ).toEqual(['Continue to checkout']);

  logged.mockClear();
  bringScripts();
  await user.click(await screen.findByRole('button', { name: 'jane@gmail.com' }));
  expect(emailField().value).toBe('jane@gmail.com');
  await waitFor(() => expect(emailField().getAttribute('aria-invalid')).toBeNull());
  expect(logged.mock.calls).toEqual([]);
});

test('late scripts keep and send what is in the fields', async ({ api, user, assign, logged }) => {
  api.answer('POST /api/lead/subscribe', LEAD);
  api.answer('POST /api/checkout/session', { url: 'https://checkout.example/c/pay/cs_1' });
  const faults = { fullName: 'Enter your name', email: 'Invalid email' };
  const bringScripts = await showAnswer('ivy', { ...ANSWER, faults });
  const name = screen.getByLabelText<HTMLInputElement>('Full Name');
  emailField().value = 'ivy@reader.example';
  name.value = 'Ivy';
  name.focus();

  logged.mockClear();
  bringScripts();
  await waitFor(() => expect(Object.keys(name).join()).toContain('__react'));
  expect(document.activeElement).toBe(name);
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));

  await waitFor(() => expect(assign).toHaveBeenCalled());
  expect([name.value, emailField().value]).toEqual(['Ivy', 'ivy@reader.example']);
  expect(api.calls('POST /api/lead/subscribe')[0]?.body).toMatchObject({
    fullName: 'Ivy',
    email: 'ivy@reader.example',
    utmSource: 'top_sub',
  });
  expect(logged.mock.calls).toEqual([]);
});

test('late scripts keep a refusal in sight until the next answer', async ({ api, user }) => {
  const kind = 'stripe-unavailable';
  const notice = { kind, title: 'The payment page is away.', detail: 'Try again.' } as const;
  const bringScripts = await showAnswer('ivy@reader.example', { ...ANSWER, notice });
  expect(emailField().value).toBe('ivy@reader.example');
  bringScripts();
  await waitFor(() => expect(document.activeElement?.textContent).toContain(notice.title));

  api.refuse('POST /api/lead/subscribe', 503);
  api.refuse('POST /api/checkout/session', 503);
  await user.type(screen.getByLabelText('Full Name'), 'Ivy');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));

  await screen.findByText('The payment page did not open.');
  expect(screen.queryByText(notice.title)).toBeNull();
});

test('the draft of this tab fills only the fields that are empty', async () => {
  const left = { company: 'Old Ltd', email: 'ivy@reader.example' } as Record<string, string>;
  saveDraft({ from: 'top_sub', values: buildFormValues((field) => left[field] ?? '') });
  const bringScripts = await showAnswer('', ANSWER);
  const company = document.querySelector<HTMLInputElement>('[name=company]')!;
  company.value = 'New Ltd';

  bringScripts();

  await waitFor(() => expect(emailField().value).toBe('ivy@reader.example'));
  expect(company.value).toBe('New Ltd');
});

test('who starts again after an expired checkout finds what they sent', () => {
  saveDraft({
    from: 'top_sub',
    values: buildFormValues((field) => (field === 'fullName' ? 'Priya' : '')),
  });

  show(<SubscribePage />, '/subscribe');

  expect(screen.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Priya');
  expect(screen.queryByText('You came back from Stripe without paying.')).toBeNull();
});

test('who opens the site again after a checkout finds in the dialog what they sent', async ({
  user,
}) => {
  saveDraft({
    from: 'top_sub',
    values: buildFormValues((field) => (field === 'fullName' ? 'Priya' : '')),
  });
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
  const values = buildFormValues(
    (field) => ({ fullName: 'Priya', email: 'priya@gmial.com' })[field as string] ?? '',
  );
  saveDraft({ from: 'top_sub', values });
  api.answer('POST /api/lead/subscribe', LEAD);
  api.answer('POST /api/checkout/session', { url: 'https://checkout.example/c/pay/cs_1' });
  show(<SubscribePage />, '/subscribe?checkout=cancelled');

  screen.getByText('You came back from Stripe without paying.');
  // It looks mistyped, and was meant.
  expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe('priya@gmial.com');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));

  await waitFor(() => expect(assign).toHaveBeenCalledTimes(1));
  expect(api.calls('POST /api/lead/subscribe')[0]?.body).toMatchObject({ utmSource: 'top_sub' });
});

test('Back from Stripe shows what was sent, without a suggestion', async () => {
  const values = buildFormValues(
    (field) => ({ fullName: 'Priya', email: 'priya@gmial.com' })[field as string] ?? '',
  );
  saveDraft({ from: 'top_sub', values });
  noteDeparture();
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { type: 'back_forward' },
  ] as unknown as PerformanceEntryList);
  const bringScripts = await showAnswer('', ANSWER);

  bringScripts();

  await screen.findByText('You came back from Stripe without paying.');
  await waitFor(() => expect(emailField().value).toBe('priya@gmial.com'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.queryByText(/Did you mean/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'priya@gmail.com' })).toBeNull();
});

test('who has tried too often is told for how long to wait, in one message', async ({
  api,
  user,
  logged,
}) => {
  api.refuse('POST /api/lead/subscribe', 429);
  api.refuse('POST /api/checkout/session', 429, { detail: 'Try again at 16:58 UK time.' });
  show(<SubscribePage />, '/subscribe');
  await user.type(screen.getByLabelText('Full Name'), 'Priya');
  await user.type(screen.getByLabelText(/^Email/), 'priya@reader.example');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));

  await screen.findByText('Too many requests.');
  screen.getByText(
    'Try again at 16:58 UK time. Nothing was charged, and your details are still in the form.',
  );
  expect(screen.queryByText('Subscription failed')).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('who goes offline after a checkout that did not open reads in one message what became of their details', async ({
  api,
  user,
  logged,
}) => {
  api.answer('POST /api/lead/subscribe', LEAD);
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

test('Back from the receipt does not claim that nothing was paid', async ({
  api,
  user,
  assign,
}) => {
  api.answer('POST /api/lead/subscribe', LEAD);
  api.answer('POST /api/checkout/session', { url: 'https://checkout.example/c/pay/cs_1' });
  show(<SubscribePage />, '/subscribe');
  await user.type(screen.getByLabelText('Full Name'), 'Priya');
  await user.type(screen.getByLabelText(/^Email/), 'priya@reader.example');
  await user.click(screen.getByRole('button', { name: 'Continue to checkout' }));
  await waitFor(() => expect(assign).toHaveBeenCalled());
  // The page of the receipt.
  dropDraft();

  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));

  await screen.findByRole('button', { name: 'Continue to checkout' });
  expect(screen.queryByText('You came back from Stripe without paying.')).toBeNull();
});

test('a suggestion that Tab leads to keeps the focus, although the address has a fault by now', async ({
  user,
}) => {
  show(<SubscribePage />, '/subscribe');
  const email = screen.getByLabelText(/^Email/);
  await user.type(email, 'jane@gmial.com');
  await user.tab();
  await user.tab({ shift: true });
  await user.tab({ shift: true });
  await user.clear(email);
  await user.type(email, 'jane@gmail,com');

  await user.tab();

  await waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label')).toBe('jane@gmail.com'),
  );
});
