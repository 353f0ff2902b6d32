import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { SiteRoutes } from '../routes.tsx';
import { show, test } from '../testing/component-test.tsx';

test.for(['/', '/SAMPLE-SENT/', '/thank-you', '/subscribe', '/no-such-page'])(
  'the address %s has its page',
  async (address) => {
    show(<SiteRoutes />, address);

    await waitFor(() => expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1));
    const isUnknown = address === '/no-such-page';
    expect(screen.queryByRole('heading', { name: '404 Page Not Found' }) !== null).toBe(isUnknown);
  },
);
