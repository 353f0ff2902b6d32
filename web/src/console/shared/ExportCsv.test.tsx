import { screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { show } from '../../testing/component-test.tsx';
import { test } from '../../testing/console-test.tsx';
import { DataLoading } from '../api/data.tsx';
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

test('Export CSV opens its tab during the press', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  showExport(1);

  (await screen.findByRole('button', { name: 'Export CSV' })).click();

  expect(open).toHaveBeenCalledExactlyOnceWith('/api/admin/leads/export/csv', '_blank', 'noopener');
});
