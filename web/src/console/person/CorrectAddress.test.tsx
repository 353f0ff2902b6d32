import { screen, waitFor, within } from '@testing-library/react';
import { problemType } from '@site/schema/problem';
import { expect } from 'vitest';
import { buildDetail, buildFailedLead, buildLead } from '../../testing/build-console.ts';
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

test('one correction leads to the next invalid address of the list, and never to a copy that is refused too', async ({
  api,
  user,
}) => {
  const wrong = [buildFailedLead({ email: 'oliver@gmial.example' }), buildFailedLead()];
  const copies = [
    buildFailedLead({ email: 'oliver@gmail.example' }),
    buildFailedLead({ email: 'ada@gmail.example' }),
  ];
  haveLeads(api, wrong);
  showConsole('/admin-leads?status=failed');
  await user.click(await screen.findByRole('button', { name: 'Correct each…' }));

  for (const [index, copy] of copies.entries()) {
    const of = wrong[index]!;
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Correct address' });
    expect(field.value).toBe(of.email);
    haveLeads(api, [...copies.slice(0, index + 1).toReversed(), ...wrong.slice(index + 1)]);
    api.answer('POST /api/admin/leads/:id/correct', { id: copy.id, stayed: [], keeper: null });
    api.answer('GET /api/admin/leads/:id', ({ url }) =>
      url.pathname.endsWith(copy.id)
        ? buildDetail(copy, { correctedFrom: of })
        : buildDetail(wrong[1]!),
    );
    await user.clear(field);
    await user.type(field, copy.email);
    await user.click(screen.getByRole('button', { name: 'Correct the address' }));
    expect((await screen.findByText(/^Copied from/)).textContent).toContain(of.email);
    const next = screen.queryByRole('button', { name: /^Correct the next/ });
    expect(next?.textContent).toBe(index === 0 ? 'Correct the next, 1 left…' : undefined);
    if (index === 1) await screen.findByText(/^2 addresses of this list are still invalid/);
    expect(screen.queryByText(/of this list/) === null).toBe(index === 0);
    if (next) await user.click(next);
  }
});

test('an address of a series can be skipped, and the end of the series leads back to it', async ({
  api,
  user,
}) => {
  const [skipped, wrong] = [buildFailedLead({ email: 'oliver@gmial.example' }), buildFailedLead()];
  const copy = buildLead({ email: 'ada@gmail.example' });
  haveLeads(api, [skipped, wrong]);
  showConsole('/admin-leads?status=failed');
  await user.click(await screen.findByRole('button', { name: 'Correct each…' }));
  const isShown = async ({ email }: { email: string }) =>
    waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>('Correct address').value).toBe(email),
    );
  await isShown(skipped);

  await user.click(screen.getByRole('button', { name: 'Skip, 1 left' }));
  await isShown(wrong);
  expect(screen.queryByRole('button', { name: /^Skip/ })).toBeNull();
  haveLeads(api, [skipped]);
  api.answer('POST /api/admin/leads/:id/correct', {
    id: copy.id,
    stayed: [],
    keeper: 'Tom Berger',
  });
  api.answer('GET /api/admin/leads/:id', ({ url }) =>
    buildDetail(url.pathname.endsWith(copy.id) ? copy : skipped, { correctedFrom: wrong }),
  );
  await user.clear(screen.getByLabelText('Correct address'));
  await user.type(screen.getByLabelText('Correct address'), copy.email);
  await user.click(screen.getByRole('button', { name: 'Correct the address' }));

  await screen.findByText(`${wrong.email} stays the address of Tom Berger.`);
  const left = await screen.findByText(/of this list (?:is|are) still invalid/);
  await user.click(within(left).getByRole('button', { name: /^Correct (?:it|each)…$/ }));
  await isShown(skipped);
});
