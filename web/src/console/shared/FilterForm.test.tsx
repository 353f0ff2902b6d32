import { fireEvent, screen } from '@testing-library/react';
import { useReducer } from 'react';
import { expect, vi } from 'vitest';
import { show, test } from '../../testing/component-test.tsx';
import type { ListFilter } from './filter.ts';
import { DatePresets, FilterForm } from './FilterForm.tsx';

test('typed text stays while the view around the form loads', async ({ user }) => {
  const apply = vi.fn<(filter: ListFilter) => void>();
  function View() {
    const [, load] = useReducer((loads: number) => loads + 1, 0);
    return (
      <>
        <button onClick={load}>Load</button>
        <FilterForm filter={{ startDate: '2025-12-01', endDate: '2025-12-31' }} onApply={apply} />
      </>
    );
  }
  show(<View />);

  fireEvent.change(screen.getByLabelText('Start Date'), { target: { value: '2025-12-03' } });
  await user.click(screen.getByRole('button', { name: 'Load' }));
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));

  expect(apply).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ startDate: '2025-12-03' }),
    expect.anything(),
  );
});

test('an open set of values is typed', async ({ user }) => {
  const apply = vi.fn<(filter: ListFilter) => void>();
  const source = { name: 'source', label: 'Source', all: 'All', chosen: 'nav_sub' };
  show(<FilterForm filter={{}} choices={[{ ...source, options: undefined }]} onApply={apply} />);

  await user.type(screen.getByLabelText('Source'), 'mit');
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));

  expect(apply.mock.calls[0]?.[0]).toMatchObject({ source: 'nav_submit' });
});

test('a preset ends today and counts both ends, also over a change of the clocks', () => {
  vi.setSystemTime('2025-03-31T12:00:00Z');
  show(<DatePresets filter={{ startDate: '2025-03-25', endDate: '2025-03-31' }} />);

  const links = screen.getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/?startDate=2025-03-31&endDate=2025-03-31',
    '/?startDate=2025-03-25&endDate=2025-03-31',
    '/?startDate=2025-03-02&endDate=2025-03-31',
    '/?startDate=2025-01-01&endDate=2025-03-31',
    '/',
  ]);
  expect(screen.getAllByRole('link', { current: true })).toEqual([links[1]]);
});
