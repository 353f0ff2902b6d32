// @module-tag long
import { screen, waitFor, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import { buildFound, buildPeople } from '../../testing/build-people.ts';
import { findView, showConsole, test } from '../../testing/console-test.tsx';

const field = () => screen.findByRole('combobox', { name: 'Search people, views and actions' });
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

test('by keyboard alone, the search opens anywhere and lists people, views and actions', async ({
  api,
  user,
}) => {
  const ana = buildFound(buildLead({ fullName: 'Ana Lima', email: 'ana@x.example' }));
  api.answer('POST /api/admin/people/search', buildPeople([ana]));
  showConsole('/admin-leads?view=sync');
  await findView('Sync');

  await user.keyboard('/');
  await waitFor(async () => expect(document.activeElement).toBe(await field()));
  await waitFor(() => expect(options()[0]).toMatch(/^Ana Lima ana@x\.example/));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('combobox')).toBeNull();

  await user.keyboard('{Control>}k{/Control}');
  await user.type(await field(), 'mon{Enter}');
  await findView('Money');
  expect(screen.queryByRole('combobox')).toBeNull();

  await user.keyboard('{Meta>}k{/Meta}');
  await user.type(await field(), 'theme{ArrowDown}{ArrowUp}');
  const chosen = screen.getByRole('option', { selected: true });
  expect((await field()).getAttribute('aria-activedescendant')).toBe(chosen.id);
  await user.keyboard('{Enter}');
  expect(document.documentElement.dataset['theme']).toBe('dark');
});

test('Enter opens the person found, also if it is pressed before the answer', async ({
  api,
  user,
}) => {
  const found = buildFound(buildLead({ fullName: 'Ana Lima', email: 'ana@x.example' }));
  api.answer('POST /api/admin/people/search', ({ body }) =>
    buildPeople((body as { text?: string }).text === 'ana@x' ? [found] : []),
  );
  showConsole('/admin-leads?view=money');
  await findView('Money');
  await user.click(screen.getByRole('button', { name: 'Search' }));

  await user.type(await field(), 'ana@x{Enter}');

  await waitFor(() => expect(window.location.search).toBe(`?view=person&id=${found.leadIds[0]}`));
});

test('an email that nobody has gets a payment link or access', async ({ user }) => {
  showConsole('/admin-leads?view=money');
  await findView('Money');
  await user.keyboard('/');
  await user.type(await field(), 'New@X.example');
  await waitFor(() =>
    expect(options()).toEqual(['Payment link… New@x.example', 'Give access… New@x.example']),
  );
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Payment link' }));
  dialog.getByText('New@x.example');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
});

test('a viewer finds no action that changes something', async ({ api, user }) => {
  api.answer('GET /api/admin/me', { username: 'vera', isViewer: true });
  showConsole('/admin-leads?view=money');
  await findView('Money');
  await user.keyboard('/');
  await user.type(await field(), 'New@X.example');
  await screen.findByText('Nobody matches “New@X.example”.');
  expect(screen.queryAllByRole('option')).toEqual([]);
});
