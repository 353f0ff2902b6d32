// @module-tag long
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { showConsole, test } from '../../testing/console-test.tsx';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const ACCESS = {
  email: 'press@northgate.example',
  leadId: null,
  until: '2099-12-31T23:59:59.999Z',
  withSubscription: null,
  paidBy: null,
  isOver: false,
  grantedBy: 'admin',
  grantedAt: '2025-12-03T09:31:00.000Z',
} as const;
const CALL = 'POST /api/admin/people/complimentary';

test('free access is given to an email until a date, once with a key', async ({ api, user }) => {
  api.answer(CALL, {
    email: ACCESS.email,
    until: ACCESS.until,
    withSubscription: null,
    subscriptions: [],
  });
  showConsole('/admin-leads?view=money&people=free-access');

  await user.click(await screen.findByRole('button', { name: 'Give access…' }));
  await screen.findByText('Nobody has it now.');
  const dialog = within(await screen.findByRole('dialog', { name: 'Give free access?' }));
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter an email.');
  await user.type(dialog.getByLabelText('Email'), ACCESS.email);
  await user.type(dialog.getByLabelText('Until the end of'), '2020-01-01');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter a date in the future.');
  await user.clear(dialog.getByLabelText('Until the end of'));
  await user.type(dialog.getByLabelText('Until the end of'), '2099-12-31');
  api.answer('GET /api/admin/people/complimentary', { access: [ACCESS] });
  await user.click(dialog.getByRole('button', { name: 'Give access' }));

  const list = within(await screen.findByRole('region', { name: 'Free access' }));
  await list.findByText(ACCESS.email);
  await screen.findByText('Free access given');
  screen.getByText(`${ACCESS.email}, until 31 Dec 2099`);
  const calls = api.calls(CALL);
  expect(calls.map(({ body }) => body)).toEqual([{ email: ACCESS.email, until: '2099-12-31' }]);
  expect(calls[0]?.headers.get('Idempotency-Key')).toMatch(UUID);
});

test('complimentary access is ended early after a confirmation, and only while it lasts', async ({
  api,
  user,
}) => {
  const over = { ...ACCESS, email: 'former@northgate.example', isOver: true };
  api.answer('GET /api/admin/people/complimentary', { access: [ACCESS, over] });
  api.answer(CALL, {
    email: ACCESS.email,
    until: new Date().toISOString(),
    withSubscription: null,
    subscriptions: [],
  });
  showConsole('/admin-leads?view=money&people=free-access');

  await screen.findByText(over.email);
  expect(screen.queryByRole('button', { name: `End access of ${over.email}` })).toBeNull();
  const end = screen.getByRole('button', { name: `End access of ${ACCESS.email}` });
  await user.click(end);
  const dialog = within(await screen.findByRole('dialog', { name: 'End free access?' }));
  await user.click(dialog.getByRole('button', { name: 'End access' }));

  await screen.findByText('Free access ended');
  expect(api.calls(CALL)).toHaveLength(1);
  const [{ body }] = api.calls(CALL) as unknown as [{ body: { email: string; until: string } }];
  expect(body.email).toBe(ACCESS.email);
  expect(new Date(body.until).getTime()).toBeLessThanOrEqual(Date.now());
});
