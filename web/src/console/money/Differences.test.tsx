// @module-tag long
import type { Difference } from '@site/schema/calls/differences';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect } from 'vitest';
import { buildId } from '../../testing/build-console.ts';
import type { FakeApi } from '../../testing/fake-api.ts';
import { showConsole, test } from '../../testing/console-test.tsx';

const COMPARED = '2025-12-03T03:00:30Z';
const MISSING = {
  id: 1,
  kind: 'missing-there',
  email: 'priya@northgate.example',
  leadId: buildId(),
  remedy: 'add-again',
  isRequested: false,
} as const;
const NO_COMPARISON = { subscribersRead: null, fault: null, retryAt: null, people: 0 };
const differences = () => within(screen.getByRole('region', { name: 'What does not match' }));

test('before the first comparison, the view says when it will run', async () => {
  showConsole('/admin-leads?view=money');

  await screen.findByText(/^Not compared yet\..* each night after 03:00 GMT\.$/);
});

test('without a difference, the view says that the records agree', async ({ api }) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [],
    counts: {},
  });
  showConsole('/admin-leads?view=money');

  await screen.findByText(/what Stripe last reported\. They agree\.$/);
});

test('a difference that only a person can decide has its reason, and no button', async ({
  api,
}) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [
      {
        id: 2,
        kind: 'pays-not-active',
        email: 'payer@northgate.example',
        stripeSubscriptionId: 'sub_1',
        subscribedAt: '2025-11-20T10:00:00Z',
        subscriberStatus: 'inactive',
        remedy: null,
        isRequested: false,
      },
    ],
    counts: { 'pays-not-active': 1, 'unknown-here': 5_000 },
    people: 5_000,
  });
  showConsole('/admin-leads?view=money');

  const kind = within(await screen.findByRole('region', { name: 'Pay but do not receive' }));
  kind.getByText(/only the subscriber can change it/);
  expect(kind.getByRole('listitem').textContent).toMatch(
    /^payer@northgate\.exampleUnsubscribed · Subscribed 20 Nov 2025, 10:00sub_1/,
  );
  expect(kind.queryByRole('button', { name: /: payer@northgate/ })).toBeNull();
  // One of those without a lead pays: they are one person.
  differences().getByText('5,000 people');
});

test('a payer who does not receive has the remedy that needs no worker', async ({ api, user }) => {
  const leadId = buildId();
  const payer = {
    ...MISSING,
    kind: 'pays-not-active',
    remedy: null,
    leadId,
    stripeSubscriptionId: 'sub_1',
  } as const;
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [{ ...payer, payerRemedy: 'send-lead' }],
    counts: { 'pays-not-active': 1 },
  });
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  showConsole('/admin-leads?view=money');

  await user.click(
    await screen.findByRole('button', { name: 'Send their lead: priya@northgate.example' }),
  );

  await waitFor(() =>
    expect(api.calls('POST /api/admin/leads/retry')[0]?.body).toEqual({ ids: [leadId] }),
  );
});

test('a remedy is asked for with a button, which then gives the focus away', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [MISSING],
    counts: { 'missing-there': 1 },
  });
  api.answer('POST /api/admin/differences/:id/remedy', undefined);
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
  expect(api.calls('POST /api/admin/differences/:id/remedy')).toHaveLength(1);
  await waitFor(() =>
    expect(document.activeElement).toBe(
      screen.getByRole('heading', { name: /^What does not match/ }),
    ),
  );
});

describe('many with one remedy', () => {
  const MANY = Array.from({ length: 120 }, (_, n) => ({
    ...MISSING,
    id: n + 1,
    email: `reader${n}@northgate.example`,
    sentAt: '2025-11-20T10:00:00Z',
  }));
  const have = (api: FakeApi, differences: Difference[]) =>
    api.answer('GET /api/admin/differences', {
      ...NO_COMPARISON,
      comparedAt: COMPARED,
      differences,
      counts: { 'missing-there': differences.length },
    });
  const missing = async () =>
    within(await screen.findByRole('region', { name: 'Missing at Beehiiv' }));

  test('many differences are put right after a confirmation that says how many, and the list says how many are left', async ({
    api,
    user,
  }) => {
    have(api, MANY);
    api.answer('POST /api/admin/differences/remedies', { requested: 120 });
    showConsole('/admin-leads?view=money');

    expect((await missing()).getAllByRole('link')).toHaveLength(5);
    expect((await missing()).getAllByRole('listitem')[0]?.textContent).toContain(
      'Not at Beehiiv · Lead sent 20 Nov 2025, 10:00',
    );
    await user.click((await missing()).getByRole('button', { name: 'Show all 120' }));
    expect((await missing()).getAllByRole('link')).toHaveLength(120);

    await user.click((await missing()).getByRole('button', { name: 'Add all 120 again…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add 120 again?' }));
    expect(api.calls('POST /api/admin/differences/remedies')).toEqual([]);
    have(api, [
      ...MANY.slice(0, 30).map((each) => ({ ...each, isRequested: true })),
      ...MANY.slice(30, 31),
    ]);
    await user.click(dialog.getByRole('button', { name: 'Add 120 again' }));

    (await missing()).getByText('30 of 31 being added again.');
    expect(api.calls('POST /api/admin/differences/remedies').map(({ body }) => body)).toEqual([
      { ids: MANY.map(({ id }) => id) },
    ]);
    // A single one has its own button.
    expect((await missing()).queryByRole('button', { name: /^Add all/ })).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(
        screen.getByRole('heading', { name: /^What does not match/ }),
      ),
    );
  });

  test('the view says how many of many differences were not put right, since they have changed', async ({
    api,
    user,
  }) => {
    have(api, MANY.slice(0, 3));
    api.answer('POST /api/admin/differences/remedies', { requested: 1 });
    showConsole('/admin-leads?view=money');

    await user.click((await missing()).getByRole('button', { name: 'Add all 3 again…' }));
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Add 3 again?' })).getByRole('button', {
        name: 'Add 3 again',
      }),
    );

    await screen.findByText('1 of 3 are being added again');
  });

  test('putting many differences right at once is not offered where premium would be taken away', async ({
    api,
  }) => {
    const gift = { ...MISSING, kind: 'premium-not-paying', remedy: 'set-free' } as const;
    api.answer('GET /api/admin/differences', {
      ...NO_COMPARISON,
      comparedAt: COMPARED,
      differences: [gift, { ...gift, id: 2, email: 'other@northgate.example' }],
      counts: { 'premium-not-paying': 2 },
    });
    showConsole('/admin-leads?view=money');

    const gifts = within(
      await screen.findByRole('region', { name: 'On the paid list without paying' }),
    );
    expect(gifts.queryByRole('button', { name: /all/ })).toBeNull();
  });
});

test('an operator can compare now, and sees how far it is', async ({ api, user }) => {
  api.answer('POST /api/admin/differences/compare', undefined);
  showConsole('/admin-leads?view=money');
  const button = await screen.findByRole('button', { name: 'Compare now' });
  api.answer('GET /api/admin/differences', {
    comparedAt: null,
    subscribersRead: 1_200,
    fault: null,
    retryAt: null,
    differences: [],
    counts: {},
    people: 0,
  });

  await user.click(button);

  await differences().findByText('Comparing: 1,200 subscribers read so far.');
  expect(screen.queryByRole('button', { name: 'Compare now' })).toBeNull();
});

test.for([
  ['2125-12-03T20:15:00.000Z', '3 Dec 2125, 20:15.'],
  [null, 'when the sync runs again. What to do'],
] as const)(
  'a comparison that failed says why, and with the next try %s when that is',
  async ([retryAt, told], { api }) => {
    const answer = {
      ...NO_COMPARISON,
      fault: 'Beehiiv answered 401',
      comparedAt: COMPARED,
      differences: [],
      counts: {},
    };
    api.answer('GET /api/admin/differences', { ...answer, retryAt });
    showConsole('/admin-leads?view=money');

    const fault = (await screen.findByText('The last comparison failed')).parentElement;
    expect(fault?.textContent).toContain(`Beehiiv answered 401. The next try: ${told}`);
    differences().getByText(/^Beehiiv’s list, .* They agreed\.$/);
  },
);

test('premium is taken away only after a confirmation', async ({ api, user }) => {
  api.answer('GET /api/admin/differences', {
    ...NO_COMPARISON,
    comparedAt: COMPARED,
    differences: [
      {
        id: 3,
        kind: 'premium-not-paying',
        email: 'gift@northgate.example',
        remedy: 'set-free',
        isRequested: false,
      },
    ],
    counts: { 'premium-not-paying': 1 },
  });
  api.answer('POST /api/admin/differences/:id/remedy', undefined);
  showConsole('/admin-leads?view=money');
  const press = async () =>
    user.click(
      await screen.findByRole('button', { name: 'Move to the free list: gift@northgate.example' }),
    );
  const dialog = async () =>
    within(await screen.findByRole('dialog', { name: 'Move to the free list?' }));

  await press();
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  expect(api.calls('POST /api/admin/differences/:id/remedy')).toEqual([]);
  await press();
  await user.click((await dialog()).getByRole('button', { name: 'Move to the free list' }));

  await waitFor(() => expect(api.calls('POST /api/admin/differences/:id/remedy')).toHaveLength(1));
});
