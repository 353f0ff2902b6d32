// @module-tag long
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildId } from '../../testing/build-console.ts';
import { buildDifferences } from '../../testing/build-people.ts';
import { findWithin, showConsole, test } from '../../testing/console-test.tsx';

const COMPARED = '2025-12-03T03:00:30Z';
const MISSING = {
  id: 1,
  kind: 'missing-there',
  email: 'priya@northgate.example',
  leadId: buildId(),
  remedy: 'add-again',
  isRequested: false,
} as const;
const differences = () => within(screen.getByRole('region', { name: 'What does not match' }));

test('before the first comparison, the view says when it will run', async () => {
  showConsole('/admin-leads?view=money');

  await screen.findByText(/^Not compared yet\..* each night after 03:00 GMT\.$/);
});

test('without a difference, the view says that the records agree', async ({ api }) => {
  api.answer('GET /api/admin/differences', buildDifferences({ comparedAt: COMPARED }));
  showConsole('/admin-leads?view=money');

  await screen.findByText(/with our leads and with Stripe\. They agree\.$/);
});

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

test('a kind without a safe remedy has no button', async ({ api }) => {
  const gift = { ...MISSING, kind: 'premium-not-paying', remedy: 'set-free' } as const;
  api.answer(
    'GET /api/admin/differences',
    buildDifferences({
      comparedAt: COMPARED,
      differences: [gift],
      counts: { 'premium-not-paying': 1 },
      fixable: { 'premium-not-paying': 0 },
    }),
  );
  showConsole('/admin-leads?view=money');

  const gifts = await screen.findByRole('region', { name: 'On the paid list without paying' });
  expect(within(gifts).queryByRole('button')).toBeNull();
});
