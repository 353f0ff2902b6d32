import { screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { show } from '../../testing/component-test.tsx';
import { test } from '../../testing/console-test.tsx';
import { problemType } from '@site/schema/problem';
import { DataLoading } from '../../site/DataLoading.tsx';
import { SessionGate } from '../session/session.tsx';
import { ExportCsv } from './ExportCsv.tsx';

const showExport = (exported?: number) =>
  show(
    <DataLoading>
      <SessionGate title="Leads">
        <ExportCsv query={{}} exported={exported} />
      </SessionGate>
    </DataLoading>,
  );

test.for([undefined, 0, 1_048_575])(
  'an export of %s leads fits a sheet of Excel, so its button says nothing',
  async (count) => {
    showExport(count);

    await screen.findByRole('button', { name: 'Export CSV', description: '' });
  },
);

test('an export of more leads than a sheet of Excel holds says so at its button', async () => {
  showExport(1_048_576);

  const button = await screen.findByRole('button', { name: 'Export CSV' });
  const description = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toContain('Excel shows only the first 1,048,575 leads');
});

test('an export opens its tab once the operator has shown who is at the keyboard', async ({
  api,
  user,
}) => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  const detail = 'To export leads, enter your password again.';
  api.refuse('POST /api/admin/confirm', 403, {
    type: problemType('confirmation-required'),
    detail,
  });
  showExport(1);
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));

  const dialog = await screen.findByRole('dialog', { name: 'Is this you?' });
  within(dialog).getByText(detail);
  expect(open).not.toHaveBeenCalled();
  api.answer('POST /api/admin/confirm', undefined);
  await user.type(within(dialog).getByLabelText(/Password/), '123 456');
  await user.click(within(dialog).getByRole('button', { name: 'Continue' }));

  await waitFor(() => expect(open).toHaveBeenCalledOnce());
  expect(api.calls('POST /api/admin/confirm').map(({ body }) => body)).toEqual([
    {},
    { code: '123 456' },
    {},
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an export opens nothing if the operator cancels', async ({ api, user }) => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  api.refuse('POST /api/admin/confirm', 403, { type: problemType('confirmation-required') });
  showExport(1);
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(open).not.toHaveBeenCalled();
});
