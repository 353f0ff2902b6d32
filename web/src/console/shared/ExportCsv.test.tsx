import { screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { show } from '../../testing/component-test.tsx';
import { test } from '../../testing/console-test.tsx';
import { DataLoading } from '../api/data.tsx';
import { SessionGate } from '../session/session.tsx';
import { ExportCsv } from './ExportCsv.tsx';

test('Export CSV opens its tab during the press', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  show(
    <DataLoading>
      <SessionGate title="Leads">
        <ExportCsv query={{}} />
      </SessionGate>
    </DataLoading>,
  );

  (await screen.findByRole('button', { name: 'Export CSV' })).click();

  expect(open).toHaveBeenCalledExactlyOnceWith('/api/admin/leads/export/csv', '_blank', 'noopener');
});
