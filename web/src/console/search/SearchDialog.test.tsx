import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import { buildFound, buildPeople } from '../../testing/build-people.ts';
import { findView, showConsole, test } from '../../testing/console-test.tsx';

const field = () => screen.findByRole('combobox', { name: 'Search people, views and actions' });

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

test('a view is found by what it holds', async ({ user }) => {
  showConsole('/admin-leads?view=money');
  await findView('Money');
  await user.keyboard('/');
  await user.type(await field(), 'passw');
  await screen.findByRole('option', { name: 'Your account View' });
  expect(screen.queryByText(/Nobody matches/)).toBeNull();
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
