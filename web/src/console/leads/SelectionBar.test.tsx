// @module-tag long
import { screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { buildFailedLead, buildLead } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

test('quarantined leads have a tab of their own, in which all of them can be sent', async ({
  api,
  user,
}) => {
  const quarantined = buildFailedLead({ quarantineReason: 'the hidden field was filled' });
  haveLeads(api, [quarantined, buildFailedLead()]);
  showConsole();
  const row = await findRow(quarantined);
  expect(row.textContent).toContain('Looks automated The hidden field was filled');
  within(row).getByRole('button', { name: 'Send to Beehiiv: Priya Raman' });
  expect(screen.queryByRole('button', { name: 'Send…' })).toBeNull();

  await user.click(screen.getByRole('link', { name: 'Quarantined 1' }));
  expect(window.location.search).toBe('?status=quarantined');
  api.answer('POST /api/admin/leads/retry', {
    count: 1,
    quarantined: 0,
    invalid: 0,
    estimateMs: null,
  });
  await user.click(await screen.findByRole('button', { name: 'Send…' }));

  const dialog = within(
    await screen.findByRole('dialog', { name: 'Send quarantined leads to Beehiiv' }),
  );
  await dialog.findByText('1 quarantined lead.');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  expect(api.calls('POST /api/admin/leads/retry')[0]?.body).toEqual({
    filter: { status: 'quarantined' },
    withQuarantined: true,
    dryRun: true,
  });
});

test('all quarantined leads can be deleted from their tab', async ({ api, user }) => {
  haveLeads(api, [buildFailedLead({ quarantineReason: 'the hidden field was filled' })]);
  api.answer('POST /api/admin/leads/delete-quarantined', { count: 1 });
  showConsole('/admin-leads?status=quarantined');

  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  await user.click(await screen.findByRole('button', { name: 'Delete 1' }));

  await screen.findByText('Deleted');
  expect(api.calls('POST /api/admin/leads/delete-quarantined').map(({ body }) => body)).toEqual([
    { filter: { status: 'quarantined' } },
  ]);
});

test('of quarantined leads the bar offers to send those that are selected', async ({
  api,
  user,
}) => {
  const [one, another] = [buildFailedLead, buildFailedLead].map((build) =>
    build({ quarantineReason: 'too fast' }),
  );
  haveLeads(api, [one!, another!]);
  showConsole('/admin-leads?status=quarantined');
  await screen.findByRole('button', { name: 'Send all…' });

  await user.click(within(await findRow(one!)).getByRole('checkbox'));

  const bar = within(await screen.findByRole('region', { name: 'Selection' }));
  await user.click(bar.getByRole('button', { name: 'Send 1 to Beehiiv…' }));
  const question = within(await screen.findByRole('dialog', { name: 'Send to Beehiiv?' }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));

  await user.click(within(await findRow(another!)).getByRole('checkbox'));
  const estimate = { count: 2, quarantined: 0, invalid: 0, estimateMs: null };
  api.answer('POST /api/admin/leads/retry', estimate);
  await user.click(bar.getByRole('button', { name: 'Send 2 to Beehiiv…' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Send the selected leads to Beehiiv' }),
  );
  await dialog.findByText(/^2 quarantined leads\./);
  dialog.getByRole('button', { name: 'Send 2' });
});

test('a selection says how many leads it holds, and can be exported and retried', async ({
  api,
  user,
}) => {
  const sent = buildLead();
  const retryable = [buildFailedLead({ beehiivReason: 'server-error' }), buildFailedLead()];
  const failed = [...retryable, buildFailedLead({ isCorrected: true })];
  haveLeads(api, [sent, ...failed]);
  showConsole();
  await findRow(sent);
  const bar = () => within(screen.getByRole('region', { name: 'Selection' }));
  const tick = async (lead: { email: string }) =>
    user.click(within(await findRow(lead)).getByRole('checkbox'));

  await tick(sent);
  bar().getByText('1 selected');
  expect(bar().queryByRole('button', { name: /^Retry/ })).toBeNull();
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  await user.click(bar().getByRole('button', { name: 'Export 1 as CSV' }));
  expect(open).toHaveBeenCalledWith(
    `/api/admin/leads/export/csv?ids=${sent.id}`,
    '_blank',
    'noopener',
  );
  await user.click(bar().getByRole('button', { name: 'Clear selection' }));
  await waitFor(() => expect(document.activeElement?.id).toBe('leads'));
  await tick(sent);

  for (const lead of failed) await tick(lead);
  bar().getByText('4 selected, 1 needs a correction, 1 can be retried');
  api.answer('POST /api/admin/leads/retry', {
    count: 2,
    quarantined: 0,
    invalid: 0,
    estimateMs: null,
  });
  await user.click(bar().getByRole('button', { name: 'Retry 1…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Retry the selected leads' }));
  await dialog.findByText('2 failed leads.');
  expect(api.calls('POST /api/admin/leads/retry')[0]?.body).toMatchObject({
    filter: { ids: failed.slice(0, 2).map(({ id }) => id) },
    dryRun: true,
  });
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  const acts = bar().getAllByRole('button');
  expect(acts.map(({ textContent }) => textContent)).toEqual([
    'Correct 1…',
    'Retry 1…',
    'Export 4 as CSV',
    'Clear',
  ]);

  await user.click(bar().getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
});

test('a refused address is corrected from its row, with the suggestion in the field, and not retried', async ({
  api,
  user,
}) => {
  const wrong = buildFailedLead({ email: 'priya@gmial.com' });
  haveLeads(api, [
    wrong,
    buildFailedLead({ beehiivReason: 'request-refused', fullName: 'Tom Aldridge' }),
  ]);
  showConsole();
  const row = within(await findRow(wrong));
  screen.getByRole('button', { name: 'Retry Tom Aldridge' });
  expect(row.queryByRole('button', { name: /^Retry/ })).toBeNull();

  await user.click(row.getByRole('button', { name: 'Correct the address of Priya Raman' }));

  const drawer = within(await screen.findByRole('dialog'));
  const field = await drawer.findByLabelText('Correct address');
  expect(field).toBe(document.activeElement);
  expect((field as HTMLInputElement).value).toBe('priya@gmail.com');
  expect(drawer.queryByRole('button', { name: 'Retry now' })).toBeNull();
});

test('a click with Shift selects all leads from the one clicked last, or takes them out', async ({
  api,
  user,
}) => {
  const leads = Array.from({ length: 5 }, () => buildLead());
  haveLeads(api, leads);
  showConsole();
  await findRow(leads[0]!);
  const boxes = () =>
    screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^Select (?!all)/ });
  const ticked = () =>
    boxes()
      .map(({ checked }) => (checked ? 'x' : '-'))
      .join('');
  const click = async (n: number) => user.click(boxes()[n]!);

  await click(3);
  await user.keyboard('{Shift>}');
  await click(1);
  expect(ticked()).toBe('-xxx-');
  await click(2);
  expect(ticked()).toBe('---x-');
  await user.keyboard('{/Shift}');
  await click(0);
  expect(ticked()).toBe('x--x-');
});

test('selected leads that need a correction are corrected one after the other', async ({
  api,
  user,
}) => {
  const wrong = [
    buildFailedLead({ email: 'priya@gmial.com' }),
    buildFailedLead({ fullName: 'Tom Aldridge' }),
  ];
  haveLeads(api, wrong);
  showConsole();
  await findRow(wrong[0]!);
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));

  await user.click(screen.getByRole('button', { name: 'Correct 2…' }));

  const drawer = within(await screen.findByRole('dialog'));
  expect((await drawer.findByLabelText<HTMLInputElement>('Correct address')).value).toBe(
    'priya@gmail.com',
  );
  screen.getByRole('button', { name: 'Correct 2…', hidden: true });
});

test('of a selection, only what is quarantined is deleted', async ({ api, user }) => {
  const held = buildFailedLead({ quarantineReason: 'too fast' });
  haveLeads(api, [held, buildLead()]);
  api.answer('POST /api/admin/leads/delete-quarantined', { count: 1 });
  showConsole();
  await findRow(held);
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));

  await user.click(screen.getByRole('button', { name: 'Delete 1…' }));
  await user.click(await screen.findByRole('button', { name: 'Delete 1' }));

  await waitFor(() =>
    expect(api.calls('POST /api/admin/leads/delete-quarantined').map(({ body }) => body)).toEqual([
      { ids: [held.id] },
    ]),
  );
});

test('all leads of a list can be selected, also those that are not loaded, and acted on by their filter', async ({
  api,
  user,
}) => {
  const leads = [
    buildFailedLead({ quarantineReason: 'too fast' }),
    buildFailedLead({ quarantineReason: 'too fast' }),
  ];
  const statusCounts = { pending: 0, sent: 0, failed: 0, quarantined: 312, corrected: 0 };
  haveLeads(api, leads, 0, { statusCounts, nextCursor: 'next' });
  showConsole('/admin-leads?status=quarantined');
  await findRow(leads[0]!);
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));
  const bar = within(screen.getByRole('region', { name: 'Selection' }));
  bar.getByRole('button', { name: 'Delete 2…' });

  expect(bar.getAllByRole('button')[0]?.textContent).toBe('Select all 312');
  await user.click(bar.getByRole('button', { name: 'Select all 312' }));
  bar.getByText('All 312 selected');
  bar.getByRole('button', { name: /^Only these/ });
  bar.getByRole('button', { name: 'Send 312 to Beehiiv…' });
  await user.click(bar.getByRole('button', { name: 'Delete 312…' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: /^Delete [\d,]+ quarantined leads?\?$/ }),
  );
  dialog.getByText(/Other leads of the same people stay/);
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  api.answer('POST /api/admin/leads/delete-quarantined', { count: 312 });
  await user.click(dialog.getByRole('button', { name: 'Delete 312' }));

  await screen.findByText('312 leads that looked automated.');
  expect(api.calls('POST /api/admin/leads/delete-quarantined').map(({ body }) => body)).toEqual([
    { filter: { status: 'quarantined' } },
  ]);
  expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
});

test('a retry of a selection leaves out what looks automated, and the selection says so', async ({
  api,
  user,
}) => {
  const wrong = buildFailedLead();
  const others = [{ beehiivReason: 'server-error' }, { quarantineReason: 'too fast' }] as const;
  haveLeads(api, [wrong, ...others.map((other) => buildFailedLead(other))]);
  showConsole();
  await findRow(wrong);

  await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }));

  const bar = within(screen.getByRole('region', { name: 'Selection' }));
  bar.getByText('3 selected, 1 needs a correction, 1 can be retried, 1 looks automated');
  bar.getByRole('button', { name: 'Retry 1…' });
});

test('a retry of all failed leads promises no number while some of them need a correction', async ({
  api,
  user,
}) => {
  const [wrong, right] = [buildFailedLead(), buildFailedLead({ beehiivReason: 'server-error' })];
  const statusCounts = { pending: 0, sent: 0, failed: 312, quarantined: 0, corrected: 0 };
  haveLeads(api, [wrong, right], 0, { statusCounts, nextCursor: 'next' });
  showConsole('/admin-leads?status=failed');
  await findRow(wrong);
  await user.click(screen.getByRole('checkbox', { name: 'Select all shown' }));
  const bar = within(screen.getByRole('region', { name: 'Selection' }));
  bar.getByRole('button', { name: 'Retry 1…' });

  await user.click(bar.getByRole('button', { name: 'Select all 312' }));
  expect(bar.queryByRole('button', { name: /^Correct/ })).toBeNull();
  api.answer('POST /api/admin/leads/retry', {
    count: 0,
    quarantined: 0,
    invalid: 312,
    estimateMs: 0,
  });
  await user.click(bar.getByRole('button', { name: 'Retry or correct…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));

  await user.click(within(await findRow(right)).getByRole('checkbox'));
  bar.getByText('1 selected of the 2 loaded, 1 needs a correction');
  expect(bar.queryByRole('button', { name: /^Retry/ })).toBeNull();
  await user.click(bar.getByRole('button', { name: 'Select all 312' }));
  bar.getByText('All 312 selected');
});
