import { act, screen } from '@testing-library/react';
import { expect } from 'vitest';
import { buildFailedLead, buildBulkRetry } from '../../testing/build-console.ts';
import { findWithin, haveLeads, showConsole, test } from '../../testing/console-test.tsx';

test('a bulk retry shows its size and duration first, and asks about refused emails', async ({
  api,
  user,
}) => {
  const leads = [buildFailedLead({ beehiivReason: 'request-refused' }), buildFailedLead()];
  haveLeads(api, leads);
  api.answer('POST /api/admin/leads/retry', ({ body }) => {
    const { filter } = body as { filter: { withoutInvalid?: true } };
    return {
      count: filter.withoutInvalid ? 0 : 1,
      invalid: 1,
      estimateMs: 60_000,
    };
  });
  showConsole('/admin-leads?formType=pre_buy&status=failed');
  await user.click(await screen.findByRole('button', { name: 'Retry failed…' }));
  const dialog = await findWithin('dialog', 'Retry failed leads');
  await dialog.findByText('0 of 1 failed lead.');
  const submit = dialog.getByRole('button', { name: /^Retry/ });
  expect(submit.getAttribute('aria-disabled')).toBe('true');

  await user.click(dialog.getByRole('checkbox', { name: /^Include 1 refused email,/ }));
  await dialog.findByText('1 failed lead. About 1 minute.');

  api.answer('POST /api/admin/leads/retry', buildBulkRetry());
  api.answer('GET /api/admin/bulk-retries', { bulkRetries: [buildBulkRetry()] });
  await user.click(dialog.getByRole('button', { name: 'Retry 1' }));

  await screen.findByRole('region', { name: 'Retry of 12 by admin' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(api.calls('POST /api/admin/leads/retry').at(-1)?.body).toEqual({
    filter: { formType: 'pre_buy' },
    withQuarantined: false,
  });
});

test('while a bulk retry runs, the question of another is refused with a sentence', async ({
  api,
  user,
}) => {
  haveLeads(api, [buildFailedLead({ beehiivReason: 'request-refused' })]);
  api.refuse('POST /api/admin/leads/retry', 409, {
    title: 'Another bulk retry is in progress',
    detail: 'j.holt retries 12 leads. Wait until it ends, or stop it first.',
  });
  showConsole('/admin-leads?status=failed');
  await user.click(await screen.findByRole('button', { name: 'Retry failed…' }));

  const dialog = await findWithin('dialog');
  expect((await dialog.findByRole('alert')).textContent).toContain('j.holt retries 12 leads.');
  expect(dialog.getByRole('button', { name: 'Retry' }).getAttribute('aria-disabled')).toBe('true');
});

test('a stopped bulk retry counts what is under way, and its result can be closed', async ({
  api,
  stream,
  user,
}) => {
  const run = buildBulkRetry({ filter: { withQuarantined: true } });
  api.answer('GET /api/admin/bulk-retries', { bulkRetries: [run] });
  showConsole();
  const strip = await findWithin('region', 'Retry of 12 by admin');

  const now = new Date().toISOString();
  const stopping = { ...run, stoppedAt: now, sent: 3, failed: 1, waiting: 6, notRetried: 2 };
  api.answer('POST /api/admin/bulk-retries/:id/stop', stopping);
  api.answer('GET /api/admin/bulk-retries', { bulkRetries: [stopping] });
  await user.click(strip.getByRole('button', { name: 'Stop' }));
  await strip.findByText(/^4 of 12 done: 3 sent, 1 failed again, 6 waiting, 2 not retried/);
  expect(strip.getByRole('progressbar').getAttribute('value')).toBe('6');
  expect(strip.getByRole('link', { name: 'Show failed' }).getAttribute('href')).toBe(
    `/admin-leads?status=failed&bulkRetry=${run.id}`,
  );
  await user.click(strip.getByRole('button', { name: 'Stopping...' }));
  expect(api.calls('POST /api/admin/bulk-retries/:id/stop')).toHaveLength(1);

  // The lead that was under way is sent.
  const over = { ...stopping, finishedAt: now, sent: 4, waiting: 0, notRetried: 7 };
  api.answer('GET /api/admin/bulk-retries', { bulkRetries: [over] });
  act(() => stream.tell('bulk-retry'));
  await strip.findByText(/^5 of 12 done: 4 sent, 1 failed again, 7 not retried/);
  await user.click(strip.getByRole('button', { name: 'Close: Retry of 12 by admin' }));
  expect(screen.queryByRole('region', { name: /^Retry of/ })).toBeNull();
});

test('a bulk retry that has ended before the list opened has no strip', async ({ api }) => {
  const earlier = buildBulkRetry({ finishedAt: '2025-12-03T09:30:00Z', total: 5 });
  api.answer('GET /api/admin/bulk-retries', { bulkRetries: [earlier] });
  showConsole();
  await screen.findByText('No leads found');

  expect(screen.queryByRole('region', { name: 'Retry of 5 by admin' })).toBeNull();
});
