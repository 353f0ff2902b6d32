import { screen, waitFor, within } from '@testing-library/react';
import { problemType } from '@site/schema/problem';
import { expect } from 'vitest';
import { buildFailedLead, buildLead } from '../../testing/build-console.ts';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';

test('a mistyped address is corrected to a new lead, which the drawer then shows', async ({
  api,
  user,
}) => {
  const wrong = buildFailedLead({ email: 'oliver@gmial.example' });
  const right = buildLead({ email: 'oliver@gmail.example' });
  haveLeads(api, [wrong]);
  api.refuse('POST /api/admin/leads/:id/correct', 422, {
    type: problemType('fields-invalid'),
    errors: [{ field: 'email', message: 'Invalid email. It needs an @' }],
  });
  showConsole(`/admin-leads?lead=${wrong.id}`);
  await user.click(await screen.findByRole('button', { name: 'Correct the address…' }));
  const field = screen.getByLabelText('Correct address');
  await user.clear(field);
  await user.type(field, 'not one');
  await user.click(screen.getByRole('button', { name: 'Correct the address' }));
  await screen.findByText(/Invalid email. It needs an @/);
  expect(field.getAttribute('aria-invalid')).toBe('true');

  haveLeads(api, [right, wrong]);
  const stayed = [{ stripeSubscriptionId: 'sub_1', name: 'Leigh Raman', email: wrong.email }];
  api.answer('POST /api/admin/leads/:id/correct', { id: right.id, stayed, keeper: null });
  await user.clear(field);
  await user.type(field, right.email);
  await user.click(screen.getByRole('button', { name: 'Correct the address' }));
  await screen.findByText(/What Leigh Raman pays for stays/);
  api.answer('POST /api/admin/subscriptions/:id/address', {
    stripeSubscriptionId: 'sub_1',
    email: right.email,
    stripe: 'customer-email-changed',
    beehiiv: { tier: 'premium', isTierConfirmed: false, isUnsubscribing: true },
  });
  await user.click(screen.getByRole('button', { name: 'Move it too' }));

  await screen.findByText('Address corrected');
  expect(api.calls('POST /api/admin/subscriptions/:id/address').map(({ body }) => body)).toEqual([
    { email: right.email },
  ]);
  await waitFor(() => expect(window.location.search).toBe(`?lead=${right.id}`));
  await within(screen.getByRole('dialog')).findByText(new RegExp(right.email));
  expect(api.calls('POST /api/admin/leads/:id/correct').at(-1)).toMatchObject({
    url: expect.objectContaining({ pathname: `/api/admin/leads/${wrong.id}/correct` }),
    body: { email: right.email },
  });
});
