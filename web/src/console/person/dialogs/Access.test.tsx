// @module-tag long
import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { findWithin, showConsole, test } from '../../../testing/console-test.tsx';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const EMAIL = 'press@northgate.example';
const UNTIL = '2099-12-31T23:59:59.999Z';
const CALL = 'POST /api/admin/people/free-access';

test('free access is given to an email until a date, once with a key', async ({ api, user }) => {
  api.answer(CALL, { email: EMAIL, until: UNTIL, withSubscription: null, subscriptions: [] });
  showConsole('/admin-leads?view=people');

  await user.click(await screen.findByRole('button', { name: 'Give access…' }));
  const dialog = await findWithin('dialog', 'Give free access?');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter an email.');
  await user.type(dialog.getByLabelText('Email'), EMAIL);
  await user.type(dialog.getByLabelText('Until the end of'), '2020-01-01');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter a date in the future.');
  await user.type(dialog.getByLabelText('Name (optional)'), 'Pru Press');
  await user.type(dialog.getByLabelText('Reason (optional)'), 'Reviews us');
  await user.clear(dialog.getByLabelText('Until the end of'));
  await user.type(dialog.getByLabelText('Until the end of'), '2099-12-31');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));

  await screen.findByText('Free access given');
  screen.getByText(`${EMAIL}, until 31 Dec 2099`);
  const calls = api.calls(CALL);
  expect(calls.map(({ body }) => body)).toEqual([
    { email: EMAIL, until: '2099-12-31', name: 'Pru Press', reason: 'Reviews us' },
  ]);
  expect(calls[0]?.headers.get('Idempotency-Key')).toMatch(UUID);
});
