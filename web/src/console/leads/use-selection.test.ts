import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import { useSelection } from './use-selection.ts';

const leads = ['12:00', '11:00', '10:00', '09:00'].map((time) =>
  buildLead({ submittedAt: `2025-12-01T${time}:00.000Z` }),
);
const [newest, second, third, oldest] = leads;

const show = (shown: typeof leads, hasMore: boolean) =>
  renderHook(({ list }) => useSelection(list, {}), {
    initialProps: { list: { leads: shown, hasMore } },
  });

test('a selected lead that new leads push off the loaded rows stays selected, and is counted as further down', () => {
  const { result, rerender } = show([second!, third!, oldest!], false);
  act(() => result.current.toggleAll());

  rerender({ list: { leads: [newest!, second!], hasMore: true } });
  expect(result.current.selected).toEqual([second, third, oldest]);
  expect(result.current.further).toBe(2);
  expect(result.current.isMixed).toBe(true);
  expect(result.current.isAll).toBe(false);
  act(() => result.current.toggle(second!));
  expect(result.current.selected).toEqual([third, oldest]);
  act(() => result.current.toggleAll());
  expect(result.current.selected).toEqual([newest, second, third, oldest]);
  expect(result.current.isAll).toBe(true);
  expect(result.current.isMixed).toBe(false);

  rerender({ list: { leads, hasMore: false } });
  expect(result.current.selected).toEqual(leads);
  expect(result.current.further).toBe(0);
});

test('a selected lead that has left the list is selected no more', () => {
  const { result, rerender } = show(leads, false);
  act(() => result.current.toggleAll());

  rerender({ list: { leads: [newest!, third!, oldest!], hasMore: true } });
  expect(result.current.selected).toEqual([newest, third, oldest]);

  rerender({ list: { leads: [newest!, third!], hasMore: false } });
  expect(result.current.selected).toEqual([newest, third]);
});

test('a new lead in a list that is selected whole is selected, and what is taken out leaves the loaded ones', () => {
  const { result, rerender } = show([second!, third!], true);
  act(() => result.current.toggleAll());
  act(() => result.current.toggleWhole());

  rerender({ list: { leads: [newest!, second!], hasMore: true } });
  expect(result.current).toMatchObject({
    isAll: true,
    isWhole: true,
    further: 0,
    leftOf: undefined,
  });
  expect(result.current.selected).toEqual([newest, second]);

  act(() => result.current.toggle(second!));
  expect(result.current).toMatchObject({ isWhole: false, leftOf: 2 });
  expect(result.current.selected).toEqual([newest]);
  act(() => result.current.toggle(second!));
  expect(result.current).toMatchObject({ isAll: true, isWhole: false, leftOf: undefined });
});

test('a list that is selected whole is a selection of its leads once all are loaded', () => {
  const { result, rerender } = show([newest!, second!], true);
  act(() => result.current.toggleAll());
  act(() => result.current.toggleWhole());

  rerender({ list: { leads, hasMore: false } });
  expect(result.current).toMatchObject({ isAll: true, isWhole: false });
  expect(result.current.selected).toEqual(leads);

  act(() => result.current.toggle(third!));
  expect(result.current).toMatchObject({ isAll: false, canBeWhole: true, leftOf: undefined });
  act(() => result.current.toggleWhole());
  expect(result.current.selected).toEqual(leads);
});
