import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import { findWithin, havePerson, showConsole, test } from '../../testing/console-test.tsx';

test('a confirmation moves a person who does not pay to the free list', async ({ api, user }) => {
  const lead = buildLead();
  const difference = { id: 3, remedy: 'set-free', isRequested: false } as const;
  api.answer('POST /api/admin/differences/:id/remedy', undefined);
  havePerson(api, lead, { differences: [difference] });
  showConsole(`/admin-leads?view=person&id=${lead.id}`);
  const press = async () =>
    user.click(await screen.findByRole('button', { name: 'Move to the free list…' }));
  const dialog = async () => await findWithin('dialog', 'Move to the free list?');

  await press();
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  expect(api.calls('POST /api/admin/differences/:id/remedy')).toEqual([]);
  await press();
  havePerson(api, lead, { differences: [{ ...difference, isRequested: true }] });
  await user.click((await dialog()).getByRole('button', { name: 'Move to the free list' }));

  await screen.findByText(/Being fixed\./);
  expect(api.calls('POST /api/admin/differences/:id/remedy')).toHaveLength(1);
});
