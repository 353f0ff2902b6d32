import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { SiteRoutes } from '../routes.tsx';
import { show, test } from '../testing/component-test.tsx';

test('a link to another page opens it without a reload, and Back returns', async ({ user }) => {
  show(<SiteRoutes />, '/no-such-page');
  await screen.findByRole('heading', { name: '404 Page Not Found' });

  await user.click(screen.getAllByRole('link', { name: /Liquidation Ledger/ })[0]!);

  await screen.findByRole('heading', { level: 1, name: /Read the ledger/ });
  expect(window.location.pathname).toBe('/');
  act(() => window.history.back());
  await screen.findByRole('heading', { name: '404 Page Not Found' });
});

test('a link that is to open elsewhere is left to the browser', async () => {
  show(<SiteRoutes />, '/no-such-page');
  const home = (await screen.findAllByRole('link', { name: /Liquidation Ledger/ }))[0]!;
  const push = vi.spyOn(window.history, 'pushState');
  home.addEventListener('click', (event) => event.preventDefault());

  fireEvent.click(home, { ctrlKey: true });

  expect(push).not.toHaveBeenCalled();
  expect(window.location.pathname).toBe('/no-such-page');
});

test.for(['/', '/SAMPLE-SENT/', '/thank-you', '/subscribe', '/no-such-page'])(
  'the address %s has its page',
  async (address) => {
    show(<SiteRoutes />, address);

    await waitFor(() => expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1));
    const isUnknown = address === '/no-such-page';
    expect(screen.queryByRole('heading', { name: '404 Page Not Found' }) !== null).toBe(isUnknown);
  },
);
