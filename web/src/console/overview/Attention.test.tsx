import type { CallAnswer } from '@site/schema/calls/calls';
import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { showConsole, test } from '../../testing/console-test.tsx';

type Item = CallAnswer<'GET /api/admin/attention'>['items'][number];

const item = (given: Partial<Item>): Item => ({
  id: 'refunds-failed re_1',
  kind: 'refunds-failed',
  tone: 'failed',
  title: 'Refund failed',
  text: 'The customer has not been paid.',
  name: 'Priya Raman',
  email: 'priya@reader.example',
  amount: { pence: 4_900, currency: 'usd' },
  since: '2025-12-03T09:31:00Z',
  href: '/admin-leads?view=person&id=1',
  action: 'What to do',
  other: null,
  review: { kind: 'refunds', id: 're_1' },
  ...given,
});
const region = () => within(screen.getByRole('region', { name: 'Needs attention' }));

test('each item shows a person, a reason, an amount and an action', async ({ api }) => {
  api.answer('GET /api/admin/attention', {
    items: [
      item({}),
      item({
        id: 'events-parked evt_1',
        title: 'Stripe event not applied',
        name: null,
        email: null,
        amount: null,
        href: 'https://dashboard.stripe.com/events/evt_1',
        action: 'Open in Stripe',
        review: null,
      }),
    ],
    count: 9,
  });
  showConsole('/admin-leads?view=overview');

  const row = (await screen.findByText('Priya Raman')).closest('li');
  expect(row?.textContent).toContain('US$49.00');
  const [first, second] = region().getAllByRole('link');
  expect(first?.getAttribute('href')).toBe('/admin-leads?view=person&id=1');
  expect(second?.getAttribute('href')).toBe('https://dashboard.stripe.com/events/evt_1');
  region().getByText('And 7 more.');
  screen.getByRole('heading', { name: 'Needs attention 9' });
});

test('an item that was reviewed leaves the list, until that is undone', async ({ api, user }) => {
  api.answer('GET /api/admin/attention', { items: [item({})], count: 1 });
  api.answer('POST /api/admin/money/:kind/:id/review', undefined);
  showConsole('/admin-leads?view=overview');
  const button = await screen.findByRole('button', { name: 'Mark as reviewed: Priya Raman' });
  api.answer('GET /api/admin/attention', { items: [], count: 0 });

  await user.click(button);

  await screen.findByText('Nothing needs attention.');
  expect(api.calls('POST /api/admin/money/:kind/:id/review')).toMatchObject([
    { url: expect.objectContaining({ pathname: '/api/admin/money/refunds/re_1/review' }) },
  ]);

  api.answer('DELETE /api/admin/money/:kind/:id/review', undefined);
  api.answer('GET /api/admin/attention', { items: [item({})], count: 1 });
  const toast = within((await screen.findByText('Reviewed')).closest('li')!);
  // A toast takes presses once its list knows of it, a moment after it is shown.
  await waitFor(() => user.click(toast.getByRole('button', { name: 'Undo' })));

  await screen.findByRole('button', { name: 'Mark as reviewed: Priya Raman' });
  expect(screen.queryByText('Reviewed')).toBeNull();
});
