import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import { buildFound, buildPeople } from '../../testing/build-people.ts';
import { findView, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const ada = buildLead({ fullName: 'Ada Whitlock', email: 'ada@x.example' });
const nadia = buildLead({ fullName: null, email: 'nadia@x.example' });
test.for([
  [{ beehiivStatus: 'sent', subscriberStatus: 'active' }, 'On the list'],
  [{ beehiivStatus: 'sent', subscriberStatus: 'pending' }, 'Awaiting confirmation'],
  [{ beehiivStatus: 'failed', subscriberStatus: null }, 'Not on the list'],
] as const)(
  'somebody without a subscription who is %j reads "%s"',
  async ([status, says], { api }) => {
    const person = buildFound(nadia);
    const lead = person.lead && { ...person.lead, ...status };
    api.answer('POST /api/admin/people/search', buildPeople([{ ...person, lead }]));
    showConsole('/admin-leads?view=people');

    within(await rowOf(/nadia/)).getByText(says);
  },
);

const FOUND = [
  buildFound(ada, {
    state: 'not-receiving',
    reason: 'unsubscribed',
    foundIn: { kind: 'email', text: null },
    subscription: { plan: 'monthly', amountPence: 23_900 },
    moneyIn: [
      { pence: 71_700, currency: 'gbp' },
      { pence: 10_000, currency: 'eur' },
    ],
  }),
  buildFound(nadia, { foundIn: { kind: 'note', text: 'met at Whitstable' } }),
];
const rowOf = (name: RegExp) => screen.findByRole('row', { name });
const bodies = (calls: { body: unknown }[]) => calls.map(({ body }) => body);

test('a search shows each person’s match, state and sum, and stays out of the URL', async ({
  api,
  user,
}) => {
  api.answer('POST /api/admin/people/search', ({ body }) => {
    const { text, state } = body as { text: string; state?: string };
    const people = FOUND.filter((one) => text && one.state === (state ?? one.state));
    return { ...buildPeople(people), counts: buildPeople(FOUND).counts };
  });
  showConsole('/admin-leads?view=people');
  await user.type(await screen.findByRole('searchbox', { name: 'Search people' }), 'whit{Enter}');

  const [first, second] = [await rowOf(/Ada/), await rowOf(/nadia/)];
  expect(first.textContent).toMatch(
    /Ada Whitlock.*Email.*Not receiving.*Unsubscribed at Beehiiv.*£239\.00 a month/,
  );
  expect(first.textContent).toMatch(/£717\.00, €100\.00/);
  expect(second.textContent).toMatch(/Note: met at Whitstable.*On the list/);
  expect(window.location.search).toBe('?view=people');

  await user.click(screen.getByRole('link', { name: 'No subscription 1' }));
  await waitFor(() =>
    expect(bodies(api.calls('POST /api/admin/people/search')).at(-1)).toEqual({
      text: 'whit',
      state: 'none',
    }),
  );

  // A tab with one person is not a search with one hit.
  await screen.findByText(/^1 of/);
  expect(screen.queryByRole('row', { name: /Ada/ })).toBeNull();

  haveLeads(api, [nadia]);
  await user.click(within(await rowOf(/nadia/)).getByText(/On the list/));
  await findView('nadia@x.example');
  window.history.back();
  await rowOf(/nadia/);
  expect(window.location.search).toBe('?view=people&state=none');
});

test('the people of another search disappear if a search cannot be loaded', async ({
  api,
  user,
  logged,
}) => {
  api.answer('POST /api/admin/people/search', buildPeople(FOUND));
  showConsole('/admin-leads?view=people');
  await rowOf(/Ada/);

  api.refuse('POST /api/admin/people/search', 503, null);
  await user.type(screen.getByRole('searchbox', { name: 'Search people' }), 'isla{Enter}');

  await screen.findByRole('alert');
  expect(screen.queryByRole('row', { name: /Ada/ })).toBeNull();
  expect(logged).toHaveBeenCalled();
});

test('free access is offered to an email only if nobody in any list has it', async ({
  api,
  user,
}) => {
  const others = { ...buildPeople([]), counts: { ...buildPeople([]).counts, paying: 1 } };
  api.answer('POST /api/admin/people/search', ({ body }) =>
    (body as { text: string }).text === 'other@x.example' ? others : buildPeople([]),
  );
  showConsole('/admin-leads?view=people');
  const box = await screen.findByRole('searchbox', { name: 'Search people' });
  await user.type(box, 'new\u200B@x.example{Enter}');

  await user.click(await screen.findByRole('button', { name: 'Free access…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give free access?' }));
  dialog.getByText('new@x.example');
  await user.keyboard('{Escape}');

  await user.clear(box);
  await user.type(box, 'other@x.example{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Free access…' })).toBeNull());
});

test('an email that nobody has can be exported, and erased at Beehiiv', async ({ api, user }) => {
  api.answer('POST /api/admin/people/lookup', {
    rows: { leads: 0, subscriptions: 0 },
    others: [],
  });
  showConsole('/admin-leads?view=people');
  await user.type(
    await screen.findByRole('searchbox', { name: 'Search people' }),
    'nobody@x.example{Enter}',
  );

  await user.click(await screen.findByRole('button', { name: 'Export…' }));

  await screen.findByRole('dialog', { name: 'Export everything held?' });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  await screen.findByText(/Nothing is stored about this email/);
  screen.getByRole('button', { name: 'Erase permanently' });
});
