import { act, screen, waitFor, within } from '@testing-library/react';
import type { RetryRun } from '@site/schema/calls/retry';
import { expect } from 'vitest';
import { buildFailedLead, buildHealth, buildList, buildRun } from '../../testing/build-console.ts';
import { findRow, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

test('a retry of addresses that are all invalid leads to them first', async ({ api, user }) => {
  // More than the list has loaded.
  const leads = [buildFailedLead(), buildFailedLead()];
  haveLeads(api, leads, 0, { isCapped: true, nextCursor: 'next' });
  const estimate = { count: 0, quarantined: 0, invalid: 2, estimateMs: 0 };
  api.answer('POST /api/admin/leads/retry', estimate);
  showConsole('/admin-leads?status=failed');
  await user.click(await screen.findByRole('button', { name: 'Retry failed…' }));

  const correct = await screen.findByRole('button', { name: 'Correct the addresses' });
  expect(document.activeElement).toBe(correct);
  screen.getByText(
    '2 addresses were refused as invalid or rejected by Beehiiv, and will be refused again. Correct them instead.',
  );
  expect(screen.queryByText('No failed leads to retry.')).toBeNull();
  expect(screen.queryByText(/a hundred at a time/)).toBeNull();
  await user.click(correct);

  await screen.findByRole('textbox', { name: 'Correct address' });
  expect(screen.queryByRole('dialog', { name: 'Nothing to retry' })).toBeNull();
  expect(window.location.search).toBe(`?status=failed&lead=${leads[0]!.id}`);
  expect(api.calls('POST /api/admin/leads/retry').map(({ body }) => body)).toMatchObject([
    { dryRun: true },
  ]);
});

test('failed leads that all have an invalid address are corrected instead of retried', async ({
  api,
  user,
}) => {
  const leads = [buildFailedLead(), buildFailedLead()];
  // One more has arrived, which nobody has seen.
  const statusCounts = { pending: 0, sent: 0, failed: 3, quarantined: 0, corrected: 0 };
  haveLeads(api, leads, 1, { statusCounts });
  showConsole('/admin-leads?status=failed');
  await findRow(leads[0]!);
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));
  expect(screen.queryByRole('button', { name: /^Select all 3/ })).toBeNull();

  await user.click(await screen.findByRole('button', { name: 'Correct each…' }));

  await screen.findByRole('textbox', { name: 'Correct address' });
  expect(screen.queryByRole('button', { name: /^Retry 2/ })).toBeNull();
});

test('failed leads are retried in their tab, and the button stays where it is when a search leaves none', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildFailedLead({ beehiivReason: 'request-refused' }), buildFailedLead()]);
  showConsole();
  await user.click(await screen.findByRole('link', { name: 'Failed 2' }));
  const retry = await screen.findByRole('button', { name: 'Retry failed…' });
  expect(retry.getAttribute('aria-disabled')).toBeNull();

  haveLeads(api, []);
  await user.type(screen.getByRole('searchbox'), 'nobody');

  await waitFor(() => expect(retry.getAttribute('aria-disabled')).toBe('true'));
  await user.click(retry);
  await screen.findByText('There are no failed leads in this list.');
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('link', { name: /^Pending/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Retry failed…' })).toBeNull());
});

test('a bulk retry of chosen leads names their number alone, quarantined ones too, and any names what it left out', async ({
  api,
}) => {
  const run = buildRun({ filter: { selected: 2, withQuarantined: true } });
  const usual = buildRun({ filter: { withoutInvalid: true } });
  api.answer('GET /api/admin/retry-runs', { runs: [run, usual] });
  showConsole('/admin-leads?view=sync');

  const table = within(await screen.findByRole('table', { name: 'Bulk retries' }));

  table.getByText('2 selected leads');
  table.getByText('All failed leads, without invalid addresses');
});

test('a bulk retry says how many leads it takes and how long before it starts, and asks about quarantined ones', async ({
  api,
  user,
}) => {
  const leads = [buildFailedLead({ beehiivReason: 'request-refused' }), buildFailedLead()];
  haveLeads(api, leads);
  api.answer('POST /api/admin/leads/retry', ({ body }) =>
    (body as { withQuarantined: boolean }).withQuarantined
      ? { count: 12, quarantined: 12, invalid: 0, estimateMs: 60_000 }
      : { count: 0, quarantined: 12, invalid: 0, estimateMs: 0 },
  );
  showConsole('/admin-leads?formType=pre_buy&status=failed');
  await user.click(await screen.findByRole('button', { name: 'Retry failed…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Retry failed leads' }));
  await dialog.findByText('No failed leads to retry.');
  expect(dialog.getByRole('button', { name: /^Retry/ }).getAttribute('aria-disabled')).toBe('true');

  await user.click(dialog.getByRole('checkbox', { name: 'Include 12 quarantined leads' }));
  await dialog.findByText('12 failed leads to retry, about 1 min.');
  expect(api.calls('POST /api/admin/leads/retry').map(({ body }) => body)).toEqual([
    { filter: { formType: 'pre_buy', withoutInvalid: true }, withQuarantined: false, dryRun: true },
    { filter: { formType: 'pre_buy', withoutInvalid: true }, withQuarantined: true, dryRun: true },
  ]);

  api.answer('POST /api/admin/leads/retry', buildRun());
  api.answer('GET /api/admin/retry-runs', { runs: [buildRun()] });
  await user.click(dialog.getByRole('button', { name: 'Retry 12' }));

  await screen.findByRole('region', { name: 'Retry of 12 by admin' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(api.calls('POST /api/admin/leads/retry').at(-1)?.body).toEqual({
    filter: { formType: 'pre_buy', withoutInvalid: true },
    withQuarantined: true,
  });
});

test('a bulk retry leaves out invalid addresses, unless they are to be retried all the same', async ({
  api,
  user,
}) => {
  const invalid = buildFailedLead();
  haveLeads(api, [buildFailedLead({ beehiivReason: 'request-refused' }), invalid]);
  api.answer('POST /api/admin/leads/retry', ({ body }) => {
    const { filter } = body as { filter: { withoutInvalid?: true } };
    return { count: filter.withoutInvalid ? 1 : 2, quarantined: 0, invalid: 1, estimateMs: 0 };
  });
  showConsole('/admin-leads?status=failed&sort=oldest');
  await user.click(await screen.findByRole('button', { name: 'Retry failed…' }));

  const dialog = within(await screen.findByRole('dialog', { name: 'Retry failed leads' }));
  await dialog.findByRole('button', { name: 'Retry 1' });
  const correct = dialog.getByRole('button', { name: 'Correct it' });
  expect(correct.closest('p')?.textContent).toBe(
    '1 address was refused as invalid or rejected by Beehiiv, and will be refused again. Correct it instead.',
  );
  await user.click(dialog.getByRole('checkbox', { name: 'Retry it, too' }));

  await dialog.findByRole('button', { name: 'Retry 2' });
  expect(api.calls('POST /api/admin/leads/retry').at(-1)?.body).toEqual({
    filter: {},
    withQuarantined: false,
    dryRun: true,
  });

  await user.click(correct);
  await screen.findByRole('textbox', { name: 'Correct address' });
  expect(window.location.search).toBe(`?status=failed&sort=oldest&lead=${invalid.id}`);
});

test('chosen leads with invalid addresses are left out, too, and when all have one, correcting them comes first', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildFailedLead({ beehiivReason: 'server-error' }), buildFailedLead()]);
  api.answer('POST /api/admin/leads/retry', ({ body }) => {
    const { filter } = body as { filter: { withoutInvalid?: true } };
    return { count: filter.withoutInvalid ? 0 : 2, quarantined: 0, invalid: 2, estimateMs: 0 };
  });
  showConsole('/admin-leads?status=failed');
  await user.click(await screen.findByRole('checkbox', { name: /^Select all/ }));
  // Both turned out to be refused.
  await user.click(screen.getByRole('button', { name: 'Retry 1…' }));

  const dialog = within(await screen.findByRole('dialog'));

  await dialog.findByRole('button', { name: 'Correct the addresses' });
  expect(
    dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Retry these 2 all the same' }).checked,
  ).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Correct the addresses' }));
  await screen.findByRole('textbox', { name: 'Correct address' });
});

test('a lead retried among the failed ones keeps its place until its answer has come', async ({
  api,
  stream,
  user,
}) => {
  const lead = buildFailedLead({ beehiivReason: 'request-refused' });
  haveLeads(api, [lead]);
  api.answer('POST /api/admin/leads/retry', { retried: 1, skipped: 0 });
  showConsole('/admin-leads?status=failed');
  const retry = await within(await findRow(lead)).findByRole('button', { name: /^Retry/ });
  haveLeads(api, []);
  await user.click(retry);
  await screen.findByText('Retry started');
  const pending = { ...lead, beehiivStatus: 'pending', updatedAt: '2026-01-01T00:00:00Z' } as const;

  act(() => stream.tell({ leads: [pending] }));

  await within(await findRow(lead)).findByText('Pending');
});

test('a bulk retry is followed as it goes, and stopping it says what was not retried', async ({
  api,
  stream,
  user,
}) => {
  const run = buildRun({ filter: { withQuarantined: true } });
  api.answer('GET /api/admin/retry-runs', { runs: [run] });
  showConsole();
  const strip = within(await screen.findByRole('region', { name: 'Retry of 12 by admin' }));

  api.answer('GET /api/admin/retry-runs', { runs: [{ ...run, sent: 3 }] });
  act(() => stream.tell({ haveRunsChanged: true }));
  await strip.findByText('3 of 12 done: 3 sent, 9 in progress');
  expect(strip.getByRole('progressbar').getAttribute('value')).toBe('3');

  const stopped = {
    ...run,
    sent: 4,
    returned: 8,
    stoppedAt: run.createdAt,
    finishedAt: run.createdAt,
  };
  api.answer('POST /api/admin/retry-runs/:id/stop', stopped);
  api.answer('GET /api/admin/retry-runs', { runs: [stopped] });
  await user.click(strip.getByRole('button', { name: 'Stop: Retry of 12 by admin' }));
  await strip.findByText('Stopped');
  expect(strip.getByRole('link', { name: 'Show them' }).parentElement?.textContent).toBe(
    'Stopped at 4 of 12: 4 sent, 8 not retried. Show them',
  );
  await user.click(strip.getByRole('button', { name: 'Close: Retry of 12 by admin' }));
  expect(screen.queryByRole('region', { name: /^Retry of/ })).toBeNull();
  expect(api.calls('POST /api/admin/retry-runs/:id/stop')).toHaveLength(1);

  await user.click(
    within(screen.getByRole('navigation', { name: 'Console' })).getByRole('link', { name: 'Sync' }),
  );
  const row = await screen.findByRole('row', { name: /with quarantined/ });
  expect(row.textContent).toMatch(/448 not retriedStopped/);
  api.answer('GET /api/admin/retry-runs', { runs: [run] });
  act(() => stream.tell({ haveRunsChanged: true }));
  await expect
    .poll(() => screen.getByRole('row', { name: /with quarantined/ }).textContent)
    .toMatch(/0 of 12 .*Stop/);
});

test('the question of a bulk retry says that another window has started one', async ({
  api,
  user,
  stream,
}) => {
  haveLeads(api, [buildFailedLead({ beehiivReason: 'request-refused' })]);
  api.answer('POST /api/admin/leads/retry', {
    count: 1,
    quarantined: 0,
    invalid: 0,
    estimateMs: 0,
  });
  showConsole('/admin-leads?status=failed');
  await user.click(await screen.findByRole('button', { name: 'Retry failed…' }));
  await screen.findByRole('button', { name: 'Retry 1' });

  // A lead has failed meanwhile.
  api.answer('POST /api/admin/leads/retry', {
    count: 2,
    quarantined: 0,
    invalid: 0,
    estimateMs: 0,
  });
  act(() => stream.tell({ leads: [buildFailedLead()] }));
  await screen.findByRole('button', { name: 'Retry 2' });
  api.answer('GET /api/admin/retry-runs', { runs: [buildRun()] });
  act(() => stream.tell({ haveRunsChanged: true }));

  const changed = within(await screen.findByRole('dialog', { name: 'It has changed' }));
  changed.getByText('Retry of 12 by admin');
  expect(changed.queryByRole('button', { name: /^Retry/ })).toBeNull();
});

test('a bulk retry that ends at once still says how it ended, and older ones say nothing', async ({
  api,
  stream,
}) => {
  const earlier = buildRun({ finishedAt: '2025-12-03T09:30:00Z', total: 5 });
  api.answer('GET /api/admin/retry-runs', { runs: [earlier] });
  showConsole();
  await screen.findByText('No leads found');

  const run = buildRun({
    sent: 10,
    failed: 2,
    failures: ['Email is invalid'],
    finishedAt: '2025-12-03T09:31:00Z',
  });
  api.answer('GET /api/admin/retry-runs', { runs: [run, earlier] });
  act(() => stream.tell({ haveRunsChanged: true }));

  const strip = within(await screen.findByRole('region', { name: 'Retry of 12 by admin' }));
  strip.getByText(/^12 of 12 done: 10 sent, 2 failed again \(Email is invalid\)/);
  const again = strip.getByRole('link', { name: 'Show them' });
  expect(again.getAttribute('href')).toBe(`/admin-leads?status=failed&retryRun=${run.id}`);
  strip.getByText('Done');
  expect(screen.queryByRole('region', { name: 'Retry of 5 by admin' })).toBeNull();
});

test('a result stays while chosen leads are retried, says which leads the list shows, and gives way to a retry of all', async ({
  api,
  stream,
  user,
}) => {
  haveLeads(api, [buildFailedLead(), buildFailedLead()]);
  showConsole('/admin-leads?status=failed');
  const tell = (...runs: RetryRun[]) => {
    api.answer('GET /api/admin/retry-runs', { runs });
    act(() => stream.tell({ haveRunsChanged: true }));
  };
  await screen.findByText(/^Rows 1 to 2/);
  const at = (minute: number) => `2025-12-03T09:${minute}:00Z`;
  const first = buildRun({ total: 4, failed: 4, finishedAt: at(31) });
  const chosen = buildRun({
    filter: { selected: 6 },
    total: 6,
    sent: 3,
    failed: 1,
    createdAt: at(32),
    stoppedAt: at(33),
    finishedAt: at(33),
  });
  tell(chosen, first);
  await screen.findByRole('region', { name: 'Retry of 6 by admin' });
  const strip = within(screen.getByRole('region', { name: 'Retry of 4 by admin' }));

  await user.click(strip.getByRole('link', { name: 'Show them' }));

  await strip.findByRole('link', { name: 'Shown above', current: true });
  expect(window.location.search).toBe(`?status=failed&retryRun=${first.id}`);
  screen.getByRole('link', { name: 'Show both' });
  tell(buildRun({ total: 5, createdAt: at(34) }), chosen, first);
  await screen.findByRole('region', { name: 'Retry of 5 by admin' });
  expect(screen.getAllByRole('region', { name: /^Retry of/ })).toHaveLength(1);
});

test('leads that fail after the list of failed ones was opened are offered beside those that have left it', async ({
  api,
  stream,
  user,
}) => {
  const [first, second, third] = [buildFailedLead(), buildFailedLead(), buildFailedLead()];
  haveLeads(api, [first, second]);
  showConsole('/admin-leads?status=failed');
  await screen.findByText(/^Rows 1 to 2 of 2,/);

  const sent = { ...second, beehiivStatus: 'sent', updatedAt: '2099-01-01T00:00:00Z' } as const;
  api.answer('GET /api/admin/leads/counts', { ...buildList([first, third, sent]), newer: 0 });
  act(() => stream.tell({ leads: [third, sent] }));

  await screen.findByText(/^1 in the list is no longer failed, 1 other now is/);
  screen.getByText(/^Rows 1 to 2 of 3,/);
  haveLeads(api, [first, third]);
  await user.click(screen.getByRole('button', { name: 'Update the list' }));
  await findRow(third);
  expect(screen.queryByRole('button', { name: 'Update the list' })).toBeNull();
  await waitFor(() => expect(document.activeElement?.id).toBe('leads'));
});

test('without a bulk retry the view says how to start one', async () => {
  showConsole('/admin-leads?view=sync');

  await screen.findByText('No bulk retries yet.');
  screen.getByText('started in Leads, under Failed or Quarantined');
});

test('a pause of refusals in a row says so, and the leads rejected then can be retried together', async ({
  api,
  stream,
  user,
}) => {
  const since = new Date().toISOString();
  const health = buildHealth({
    pending: 1,
    oldestPendingAt: since,
    pause: {
      reason: '20 refusals in a row. The last: Beehiiv answered 422',
      setting: 'BEEHIIV_* settings',
      since,
      nextProbeAt: since,
    },
    failedInRefusalPause: { count: 20, since },
  });
  api.answer('GET /api/admin/sync', health);
  showConsole('/admin-leads?view=sync');
  const strip = screen.findByRole('region', { name: 'Sync to Beehiiv' });
  await waitFor(async () => expect((await strip).textContent).toMatch(/Paused since \d\d:\d\d\./));
  expect((await strip).textContent).toContain('BEEHIIV_ settings');
  expect((await strip).textContent).toContain('1 lead is waiting; nothing is lost. Next test now.');
  expect((await strip).dataset['tone']).toBe('waiting');
  const remedy = await screen.findByRole('region', { name: /^Correct the setting/ });
  expect(remedy.textContent).toContain('20 refusals in a row. The last: Beehiiv answered 422');
  expect(remedy.textContent).toContain(
    'Find out which value is wrong, here or at Beehiiv.On the server, correct it and restart the worker.',
  );
  expect(remedy.textContent).toContain('20 rejected in a row');

  api.answer('POST /api/admin/leads/retry', {
    count: 20,
    quarantined: 0,
    invalid: 3,
    estimateMs: null,
  });
  await user.click(await screen.findByRole('button', { name: 'Retry these 20…' }));

  const dialog = within(
    await screen.findByRole('dialog', { name: 'Retry leads rejected in a row' }),
  );
  await dialog.findByText('20 failed leads to retry. They wait until the sync resumes.');
  dialog.getByText(
    /^3 addresses were refused as invalid or rejected by Beehiiv, and will be refused again\./,
  );
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Retry 20' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.calls('POST /api/admin/leads/retry').at(-1)?.body).toEqual({
    filter: { failedInRefusalPause: true },
    withQuarantined: false,
  });

  // Once the sync runs again, "Retry failed…" above the list says the same.
  api.answer('GET /api/admin/sync', buildHealth({ failedInRefusalPause: { count: 20, since } }));
  const asked = api.calls('GET /api/admin/sync').length;
  act(() => stream.tell({ hasSyncChanged: true }));
  // At once: without the event it would be asked for again within five seconds.
  await waitFor(() => expect(api.calls('GET /api/admin/sync').length).toBeGreaterThan(asked), {
    timeout: 2_000,
  });
  await waitFor(async () => expect((await strip).textContent).toContain('Sending normally.'));
  expect(screen.queryByText(/rejected in a row/)).toBeNull();
});

test('the bulk retries stay while they cannot be loaded again', async ({ api, stream, logged }) => {
  api.answer('GET /api/admin/retry-runs', { runs: [buildRun()] });
  showConsole('/admin-leads?view=sync');
  const table = await screen.findByRole('table', { name: 'Bulk retries' });

  api.refuse('GET /api/admin/retry-runs', 503);
  act(() => stream.tell({ haveRunsChanged: true }));

  await screen.findByText('Could not load Bulk retries again');
  expect(table.isConnected).toBe(true);
  expect(logged).toHaveBeenCalled();
});
