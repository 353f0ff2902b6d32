import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildId } from '../../../testing/build-console.ts';
import { showConsole, test } from '../../../testing/console-test.tsx';

const COMPARED = '2025-12-03T03:00:30Z';
const MISSING = {
  id: 1,
  kind: 'missing-there',
  email: 'priya@northgate.example',
  leadId: buildId(),
  remedy: 'add-again',
  isRequested: false,
} as const;
const NO_COMPARISON = { subscribersRead: null, fault: null };
const differences = () => within(screen.getByRole('region', { name: 'Differences' }));

test('before the first comparison, the view says when it will run', async () => {
  showConsole('/admin-leads?view=money');

  await screen.findByText(/are compared each night after 03:00 GMT\.$/);
});

test('without a difference, the view says that the records agree', async ({ api }) => {
  api.answer('GET /api/admin/differences', { ...NO_COMPARISON, comparedAt: COMPARED, differences: [], counts: {} });
  showConsole('/admin-leads?view=money');

  await screen.findByText(/They agree\.$/);
});

test('a difference that only a person can decide has its reason, and no button', async ({ api }) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [
      {
        id: 2,
        kind: 'pays-not-active',
        email: 'payer@northgate.example',
        stripeSubscriptionId: 'sub_1',
        subscriberStatus: 'inactive',
        remedy: null,
        isRequested: false,
      },
    ],
    counts: { 'pays-not-active': 1, 'unknown-here': 5_000 },
  });
  showConsole('/admin-leads?view=money');

  const kind = within(await screen.findByRole('region', { name: 'Pay but do not receive' }));
  kind.getByText(/only they can change it/);
  expect(kind.getByRole('listitem').textContent).toMatch(/payer@northgate\.exampleUnsubscribed sub_1/);
  expect(kind.queryByRole('button', { name: /payer@northgate/ })).toBeNull();
  differences().getByText('5,001');
});

test('a remedy is asked for with a button, which then gives the focus away', async ({ api, user }) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [MISSING],
    counts: { 'missing-there': 1 },
  });
  api.answer('POST /api/admin/differences/*/remedy', undefined);
  showConsole('/admin-leads?view=money');
  const button = await screen.findByRole('button', { name: 'Add again: priya@northgate.example' });
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [{ ...MISSING, isRequested: true }],
    counts: { 'missing-there': 1 },
  });

  await user.click(button);

  await differences().findByText('Requested');
  expect(api.calls('POST /api/admin/differences/*/remedy')).toHaveLength(1);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: /^Differences/ })));
});

test('an operator can compare now, and sees how far it is', async ({ api, user }) => {
  api.answer('POST /api/admin/differences/compare', undefined);
  showConsole('/admin-leads?view=money');
  const button = await screen.findByRole('button', { name: 'Compare now' });
  api.answer('GET /api/admin/differences', {
    comparedAt: null,
    subscribersRead: 1_200,
    fault: null,
    differences: [],
    counts: {},
  });

  await user.click(button);

  await differences().findByText('Comparing: 1,200 subscribers read so far.');
  expect(screen.queryByRole('button', { name: 'Compare now' })).toBeNull();
});

test('a comparison that failed says why', async ({ api }) => {
  const fault = 'Beehiiv answered 401';
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    fault,
    comparedAt: COMPARED,
    differences: [],
    counts: {},
  });
  showConsole('/admin-leads?view=money');

  await screen.findByText(/The last comparison failed: Beehiiv answered 401\./);
});

test('premium is taken away only after a confirmation', async ({ api, user }) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [
      { id: 3, kind: 'premium-not-paying', email: 'gift@northgate.example', remedy: 'set-free', isRequested: false },
    ],
    counts: { 'premium-not-paying': 1 },
  });
  api.answer('POST /api/admin/differences/*/remedy', undefined);
  showConsole('/admin-leads?view=money');
  const press = async () =>
    user.click(await screen.findByRole('button', { name: 'Set to free: gift@northgate.example' }));
  const dialog = async () => within(await screen.findByRole('dialog', { name: 'Set to free?' }));

  await press();
  await user.click((await dialog()).getByRole('button', { name: 'Keep premium' }));
  expect(api.calls('POST /api/admin/differences/*/remedy')).toEqual([]);
  await press();
  await user.click((await dialog()).getByRole('button', { name: 'Set to free' }));

  await waitFor(() => expect(api.calls('POST /api/admin/differences/*/remedy')).toHaveLength(1));
});
