// @module-tag long
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead } from '../../../testing/build-console.ts';
import { buildPerson } from '../../../testing/build-people.ts';
import { showConsole, test } from '../../../testing/console-test.tsx';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const EMAIL = 'press@northgate.example';
const UNTIL = '2099-12-31T23:59:59.999Z';
const CALL = 'POST /api/admin/people/complimentary';

test('free access is given to an email until a date, once with a key', async ({ api, user }) => {
  api.answer(CALL, { email: EMAIL, until: UNTIL, withSubscription: null, subscriptions: [] });
  showConsole('/admin-leads?view=people');

  await user.click(await screen.findByRole('button', { name: 'Give access…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give free access?' }));
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter an email.');
  await user.type(dialog.getByLabelText('Email'), EMAIL);
  await user.type(dialog.getByLabelText('Until the end of'), '2020-01-01');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter a date in the future.');
  await user.clear(dialog.getByLabelText('Until the end of'));
  await user.type(dialog.getByLabelText('Until the end of'), '2099-12-31');
  await user.click(dialog.getByRole('button', { name: 'Give access' }));

  await screen.findByText('Free access given');
  screen.getByText(`${EMAIL}, until 31 Dec 2099`);
  const calls = api.calls(CALL);
  expect(calls.map(({ body }) => body)).toEqual([{ email: EMAIL, until: '2099-12-31' }]);
  expect(calls[0]?.headers.get('Idempotency-Key')).toMatch(UUID);
});

test('free access is ended early after a confirmation, and only while it lasts', async ({
  api,
  user,
}) => {
  const lead = buildLead({ email: EMAIL });
  const complimentary = {
    until: UNTIL,
    withSubscription: null,
    paidBy: null,
    isOver: false,
    grantedBy: 'admin',
  };
  api.answer('GET /api/admin/leads/:id/person', buildPerson(lead, { complimentary }));
  api.answer(CALL, {
    email: EMAIL,
    until: new Date().toISOString(),
    withSubscription: null,
    subscriptions: [],
  });
  showConsole(`/admin-leads?view=person&id=${lead.id}`);

  await user.click(await screen.findByRole('button', { name: /^End.*access/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End free access?' }));
  api.answer(
    'GET /api/admin/leads/:id/person',
    buildPerson(lead, { complimentary: { ...complimentary, isOver: true } }),
  );
  await user.click(dialog.getByRole('button', { name: 'End access' }));

  await screen.findByText('Free access ended');
  expect(api.calls(CALL)).toHaveLength(1);
  const [{ body }] = api.calls(CALL) as unknown as [{ body: { email: string; until: string } }];
  expect(body.email).toBe(EMAIL);
  expect(new Date(body.until).getTime()).toBeLessThanOrEqual(Date.now());
  await expect.poll(() => screen.queryByRole('button', { name: /^End.*access/ })).toBeNull();
});
