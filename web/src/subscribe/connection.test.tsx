import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { problemType } from '@site/schema/problem';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { show, test } from '../testing/component-test.tsx';
import { SubscribeButton } from './SubscribeButton.tsx';
import { SubscribeProvider } from './SubscribeProvider.tsx';
import { readDraft } from './subscribe-draft.ts';

const submit = () => screen.getByRole('button', { name: /Continue to checkout|Processing/ });

async function fill(user: UserEvent): Promise<void> {
  show(
    <SubscribeProvider>
      <SubscribeButton from="nav_sub">Subscribe Now</SubscribeButton>
    </SubscribeProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Subscribe Now' }));
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.style.pointerEvents).toBe('auto'));
  await user.type(screen.getByLabelText('Full Name'), 'Priya Raman');
  await user.type(screen.getByLabelText('Email Address'), 'priya@northgate.example');
}

function connect(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  act(() => void window.dispatchEvent(new Event(isOnline ? 'online' : 'offline')));
}

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
afterEach(() => vi.restoreAllMocks());

test.for([
  [409, 'already-subscribed', 'This address already has a subscription.'],
  [429, 'too-many-requests', 'Too many requests.'],
] as const)(
  'who is answered %i, %s, is not told to continue when the connection is back',
  async ([status, type, told], { api, user }) => {
    api.answer('POST /api/lead/subscribe', {
      id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10',
      beehiivStatus: 'pending',
    });
    api.refuse('POST /api/checkout/session', status, {
      type: problemType(type),
      detail: 'Try again in an hour.',
    });
    await fill(user);
    await user.click(submit());
    await screen.findByText(told);

    connect(false);
    api.disconnect('POST /api/checkout/session');
    await user.click(submit());
    await waitFor(() => expect(submit().textContent).toBe('Continue to checkout'));
    const says = () =>
      screen
        .queryAllByRole('status')
        .map(({ textContent }) => textContent)
        .join('');
    expect(says()).toBe('You are still offline.');
    screen.getByText(told);
    connect(true);
    screen.getByText(told);
    expect(says()).toBe('');
  },
);

test('a form that was typed in is saved when its page is left or reloaded', async ({ user }) => {
  await fill(user);

  window.dispatchEvent(new Event('pagehide'));

  expect(readDraft()).toMatchObject({
    from: 'nav_sub',
    values: { email: 'priya@northgate.example' },
  });
});

test('a line that drops while the form is sent again is not said to be still offline; the next press is', async ({
  api,
  user,
}) => {
  api.answer('POST /api/lead/subscribe', {
    id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10',
    beehiivStatus: 'pending',
  });
  api.refuse('POST /api/checkout/session', 503);
  await fill(user);
  await user.click(submit());
  await screen.findByText('The payment page did not open.');

  api.answer('POST /api/checkout/session', () => {
    connect(false);
    throw new TypeError('Failed to fetch');
  });
  await user.click(submit());
  await waitFor(() => expect(submit().textContent).toBe('Continue to checkout'));
  screen.getByText(/^You are offline\. Nothing was charged\./);
  api.disconnect('POST /api/checkout/session');
  await user.click(submit());
  await screen.findByText(/^You are still offline\. Nothing was charged\./);
});
