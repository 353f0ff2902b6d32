import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { buildId } from '../../testing/build-console.ts';
import { buildReceipt } from '../../testing/build-people.ts';
import { findWithin, showConsole, test } from '../../testing/console-test.tsx';

test('a receipt lists the erased data in words, even if Beehiiv never had the person', async ({
  api,
}) => {
  const looked = buildReceipt({
    attempts: 1,
    reason: 'not-subscribed',
    deletedAt: '2025-12-03T09:31:00Z',
    erased: { leads: 1, submission_keys: 2 },
    nextAttemptAt: '2025-12-04T10:31:00Z',
  });
  const deleted = { ...looked, id: buildId(), erased: {}, reason: 'accepted' };
  const second = { ...deleted, id: buildId() };
  api.answer('GET /api/admin/people/erasures', { erasures: [second, deleted, looked] });
  showConsole('/admin-leads?view=activity&action=erase-person');

  const receipts = await screen.findByRole('table', { name: 'Erasure receipts' });
  const said = [...receipts.querySelectorAll('tbody tr')].map((row) =>
    [...row.children].slice(0, 2).map(({ textContent }) => textContent),
  );
  const other = [
    'Another email of the person',
    expect.stringMatching(/^Deleted at Beehiiv\. Will be checked again at .*10:31$/),
  ];
  expect(said).toEqual([
    other,
    other,
    [
      '1 lead and 2 other records',
      expect.stringMatching(/^Not on the Beehiiv list\. Will be checked again at .*10:31$/),
    ],
  ]);
});

test('the record shows unfinished erasures, and all of them if filtered by erasures', async ({
  api,
  user,
}) => {
  const over = buildReceipt({ doneAt: '2025-12-05T09:31:00Z' });
  api.answer('GET /api/admin/people/erasures', { erasures: [buildReceipt(), over] });
  showConsole('/admin-leads?view=activity');
  const rows = async () => (await findWithin('table', 'Erasure receipts')).getAllByRole('row');
  expect(await rows()).toHaveLength(2);

  const narrow = async (action: string) => {
    await user.selectOptions(screen.getByLabelText('Action'), action);
    await user.click(screen.getByRole('button', { name: 'Apply Filters' }));
  };
  await narrow('erase-person');
  expect(await rows()).toHaveLength(3);
  await narrow('login');

  expect(screen.queryByRole('table', { name: 'Erasure receipts' })).toBeNull();
});
