import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToastStore } from './toast-store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a newer toast takes the place of the older', () => {
  const store = createToastStore();

  store.add({ title: 'first' });
  store.add({ title: 'second' });

  expect(store.current().map(({ title }) => title)).toEqual(['second']);
});

test('a toast is updated in place', () => {
  const store = createToastStore();

  const toast = store.add({ title: 'Saving' });
  toast.update({ title: 'Saved' });

  expect(store.current()).toEqual([{ id: toast.id, open: true, title: 'Saved' }]);
});

test('a dismissed toast is closed at once and forgotten after a million milliseconds', () => {
  const store = createToastStore();
  const toast = store.add({ title: 'x' });

  toast.dismiss();
  expect(store.current()).toMatchObject([{ open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(store.current()).toHaveLength(1);
  vi.advanceTimersByTime(1);

  expect(store.current()).toEqual([]);
});

test('dismissing twice does not put the removal off', () => {
  const store = createToastStore();
  const toast = store.add({ title: 'x' });

  toast.dismiss();
  vi.advanceTimersByTime(500_000);
  toast.dismiss();
  vi.advanceTimersByTime(500_000);

  expect(store.current()).toEqual([]);
});

test('dismissing without a name dismisses whatever is shown', () => {
  const store = createToastStore();
  store.add({ title: 'x' });

  store.dismiss();

  expect(store.current()).toMatchObject([{ open: false }]);
});

test('the removal of an older toast leaves a newer one alone', () => {
  const store = createToastStore();
  store.add({ title: 'old' }).dismiss();

  store.add({ title: 'new' });
  vi.advanceTimersByTime(1_000_000);

  expect(store.current()).toMatchObject([{ title: 'new', open: true }]);
});

test('who listens is told of every change until they stop', () => {
  const store = createToastStore();
  const listener = vi.fn<() => void>();
  const stop = store.subscribe(listener);

  store.add({ title: 'x' });
  stop();
  store.dismiss();

  expect(listener).toHaveBeenCalledTimes(1);
});
