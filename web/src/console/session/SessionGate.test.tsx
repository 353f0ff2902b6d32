import { act, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { problemType } from '@site/schema/problem';
import { expect, vi } from 'vitest';
import { findView, showConsole, test } from '../../testing/console-test.tsx';

const password = () => screen.getByLabelText<HTMLInputElement>('Password');

async function logIn(user: UserEvent): Promise<void> {
  await user.type(await screen.findByLabelText('Username'), 'admin');
  await user.type(password(), 'secret{Enter}');
}

test('a console that cannot be opened tries again, and then opens', async ({ api, logged }) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  api.disconnect('GET /api/admin/me');
  showConsole();
  await screen.findByRole('heading', { name: 'The console could not be opened' });
  screen.getByText('The server could not be reached.');

  api.answer('GET /api/admin/me', { username: 'admin' });
  await act(async () => vi.advanceTimersByTimeAsync(6_000));

  await findView('Leads');
  // Once, React tells that the tests' browser does not know <search>.
  const texts = logged.mock.calls.map(([text]) => String(text));
  expect(texts.filter((text) => !text.includes('unrecognized in this browser'))).toEqual([]);
});

test('the page shows and loads nothing but its frame until the operator is known', async ({
  api,
}) => {
  api.hang('GET /api/admin/me');
  showConsole('/admin-leads?view=money');

  await findView('Money');
  await screen.findByText('Loading the console...');
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(api.calls('GET /api/admin/money')).toHaveLength(0);
});

test('after too many wrong passwords the login says how long to wait', async ({ api, user }) => {
  api.refuse('GET /api/admin/me', 401);
  api.refuse('POST /api/admin/login', 429, {
    type: problemType('too-many-requests'),
    detail: 'Too many failed logins. Try again in 15 minutes.',
  });
  showConsole();

  await logIn(user);

  await screen.findByText(/^Too many failed logins\. Try again in 15 minutes\.$/);
  expect(password().value).toBe('secret');
});

test('logging out shows the login without a warning, even if other calls fail', async ({
  api,
  stream,
  user,
}) => {
  api.hang('POST /api/admin/logout');
  showConsole();
  await screen.findByText('No leads found');

  await user.click(screen.getByRole('button', { name: 'Log out' }));
  api.refuse('GET /api/admin/sync', 401);
  act(() => stream.tell('sync'));

  await screen.findByRole('heading', { name: 'Log in' });
  expect(screen.queryByText(/Your session has ended/)).toBeNull();
  expect(api.calls('POST /api/admin/logout')).toHaveLength(1);
});

test.for([
  ['/admin-leads', 'Overview'],
  ['/admin-leads?view=people', 'People'],
] as const)(
  'a login at %s opens %s if the operator chose Overview',
  async ([address, view], { api, user }) => {
    const operator = { username: 'admin', opensOverview: true as const };
    api.refuse('GET /api/admin/me', 401);
    api.answer('POST /api/admin/login', operator);
    showConsole(address);
    await screen.findByLabelText('Username');
    api.answer('GET /api/admin/me', operator);

    await logIn(user);

    await findView(view);
  },
);
