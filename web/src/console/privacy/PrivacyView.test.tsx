import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { buildId, buildLead, buildList } from '../../testing/build-console.ts';
import { haveLeads, showConsole, test } from '../../testing/console-test.tsx';

const RECEIPT = {
  id: buildId(),
  requestedBy: 'admin',
  requestedAt: '2025-12-03T09:30:00Z',
  erased: { leads: 1 },
  attempts: 0,
  lastMessage: null,
  reason: null,
  nextAttemptAt: '2025-12-03T09:30:00Z',
  deletedAt: null,
  doneAt: null,
  kept: 'Invoices at Stripe',
};

test('an erasure asks for an address and for confirmation, and says when the person is erased', async ({
  api,
  user,
}) => {
  api.answer('POST /api/admin/people/erase', RECEIPT);
  showConsole('/admin-leads?view=people');
  const address = await screen.findByLabelText<HTMLInputElement>('Email address');
  const erase = screen.getByRole('button', { name: 'Erase…' });

  await user.click(erase);
  await screen.findByText('Enter an address first.');
  expect(document.activeElement).toBe(address);

  await user.type(address, 'priya@northgate.example');
  erase.focus();
  await user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase this person?' }));
  expect(api.calls('POST /api/admin/people/erase')).toEqual([]);
  api.answer('GET /api/admin/people/erasures', { erasures: [RECEIPT] });
  await user.click(dialog.getByRole('button', { name: 'Erase permanently' }));

  expect((await screen.findByText(/^Erased here\./)).tagName).toBe('OUTPUT');
  expect(document.activeElement).toBe(erase);
  const receipts = await screen.findByRole('table', { name: 'Receipts' });
  expect(receipts.textContent).toContain('1 leadWaiting to be deleted');
  expect(address.value).toBe('');
  expect(api.calls('POST /api/admin/people/erase').map(({ body }) => body)).toEqual([
    { email: 'priya@northgate.example' },
  ]);
});

test('a receipt says what was erased, and that Beehiiv never had the person, in words', async ({ api }) => {
  const absent = { attempts: 1, reason: 'not-subscribed', deletedAt: '2025-12-03T09:31:00Z' };
  const looked = {
    ...RECEIPT,
    ...absent,
    erased: { leads: 1, lead_repeats: 2 },
    nextAttemptAt: '2025-12-04T10:31:00Z',
  };
  const deleted = { ...looked, id: buildId(), erased: {}, reason: 'accepted' };
  api.answer('GET /api/admin/people/erasures', { erasures: [looked, deleted] });
  showConsole('/admin-leads?view=people');

  const receipts = await screen.findByRole('table', { name: 'Receipts' });
  const said = [...receipts.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].slice(0, 2).map(({ textContent }) => textContent),
  );
  expect(said).toEqual([
    ['1 lead and 2 repeat submissions', expect.stringMatching(/^Not on the Beehiiv list\. Checked again at .*10:31$/)],
    ['Nothing was stored', expect.stringMatching(/^Deleted at Beehiiv\. Checked again at .*10:31$/)],
  ]);
});

test('the address of an opened lead is filled in, is not in the URL, and is forgotten with the erasure', async ({
  api,
  user,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  api.answer('POST /api/admin/people/erase', RECEIPT);
  showConsole(`/admin-leads?lead=${lead.id}`);

  await user.click(await screen.findByRole('button', { name: 'Export or erase…' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Email address')).value).toBe(lead.email);
  expect(window.location.search).toBe('?view=people');
  expect(JSON.stringify(window.history.state)).toContain(lead.email);

  await user.click(screen.getByRole('button', { name: 'Erase…' }));
  await user.click(await screen.findByRole('button', { name: 'Erase permanently' }));
  await screen.findByText(/^Erased here\./);
  expect(JSON.stringify(window.history.state)).not.toContain(lead.email);
});

test('somebody with a running trial cannot be erased before it is cancelled', async ({ api, user }) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  api.answer('GET /api/admin/leads', { ...buildList([lead]), stages: { [lead.id]: 'trial' } });
  showConsole('/admin-leads?view=people');

  await user.type(await screen.findByLabelText('Email address'), lead.email.toUpperCase());
  await user.click(screen.getByRole('button', { name: 'Erase…' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'This person has a subscription' }));
  expect(dialog.queryByRole('button', { name: 'Erase permanently' })).toBeNull();
  await user.click(dialog.getByRole('link', { name: 'their lead' }));
  expect(window.location.search).toBe(`?view=people&lead=${lead.id}`);
});
