import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { show, test } from '../../testing/component-test.tsx';
import { ExportCsv } from './ExportCsv.tsx';

test.for([undefined, 0, 1_048_575])(
  'an export of %s leads fits a sheet of Excel, so its button says nothing',
  (count) => {
    show(<ExportCsv filter={{}} exported={count} />);

    screen.getByRole('button', { name: 'Export CSV', description: '' });
  },
);

test('an export of more leads than a sheet of Excel holds says so at its button', () => {
  show(<ExportCsv filter={{}} exported={1_048_576} />);

  const button = screen.getByRole('button', { name: 'Export CSV' });
  const description = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(description?.textContent).toContain('Excel shows only the first 1,048,575 leads');
});
