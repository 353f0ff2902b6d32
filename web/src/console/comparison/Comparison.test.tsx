import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildDifferences } from '../../testing/build-people.ts';
import { findWithin, showConsole, test } from '../../testing/console-test.tsx';

const COMPARED = '2025-12-03T03:00:30Z';
const differences = () => within(screen.getByRole('region', { name: 'What does not match' }));

test('a difference that only a person can decide has its reason, and no button', async ({
  api,
}) => {
  const left = {
    id: 2,
    kind: 'pays-not-active',
    email: 'payer@northgate.example',
    stripeSubscriptionId: 'sub_1',
    subscribedAt: '2025-11-20T10:00:00Z',
    subscriberStatus: 'inactive',
    remedy: null,
    isRequested: false,
  } as const;
  api.answer(
    'GET /api/admin/differences',
    buildDifferences({
      comparedAt: COMPARED,
      differences: [left],
      counts: { 'pays-not-active': 1, 'unknown-here': 5_000 },
      people: 5_000,
    }),
  );
  showConsole('/admin-leads?view=money');

  const kind = await findWithin('region', 'Pay but do not receive');
  kind.getByText(/Open the person to see why/);
  expect(kind.getByRole('listitem').textContent).toMatch(
    /^payer@northgate\.exampleUnsubscribed · Subscribed 20 Nov 2025, 10:00Open in Stripe/,
  );
  expect(kind.queryByRole('button')).toBeNull();
  // One subscriber without a lead pays, so both kinds count one person.
  differences().getByText('5,000 people');
});

test.for([
  ['2125-12-03T20:15:00.000Z', '3 Dec 2125, 20:15.'],
  [null, 'when the sync runs again. What to do'],
] as const)(
  'a comparison that failed says why, and with the next try %s when that is',
  async ([retryAt, told], { api }) => {
    const failure = 'Beehiiv answered 401';
    api.answer(
      'GET /api/admin/differences',
      buildDifferences({ failure, comparedAt: COMPARED, retryAt }),
    );
    showConsole('/admin-leads?view=money');

    const part = (await screen.findByText('The last comparison failed')).parentElement;
    expect(part?.textContent).toContain(`Beehiiv answered 401. The next try: ${told}`);
    differences().getByText(/^Beehiiv’s list, compared .* They agree\.$/);
  },
);
