import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createToastStore } from './toast-store.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a new toast replaces the old one', () => {
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

test('a dismissed toast closes at once and is removed after a million milliseconds', () => {
  const store = createToastStore();
  const toast = store.add({ title: 'x' });

  toast.dismiss();
  expect(store.current()).toMatchObject([{ open: false }]);
  vi.advanceTimersByTime(999_999);
  expect(store.current()).toHaveLength(1);
  vi.advanceTimersByTime(1);

  expect(store.current()).toEqual([]);
});

test('dismissing without an id dismisses every toast', () => {
  const store = createToastStore();
  store.add({ title: 'x' });

  store.dismiss();

  expect(store.current()).toMatchObject([{ open: false }]);
});

test('removing an old toast leaves a newer one', () => {
  const store = createToastStore();
  store.add({ title: 'old' }).dismiss();

  store.add({ title: 'new' });
  vi.advanceTimersByTime(1_000_000);

  expect(store.current()).toMatchObject([{ title: 'new', open: true }]);
});

test('a listener is called on every change until it unsubscribes', () => {
  const store = createToastStore();
  const listener = vi.fn<() => void>();
  const stop = store.subscribe(listener);

  store.add({ title: 'x' });
  stop();
  store.dismiss();

  expect(listener).toHaveBeenCalledTimes(1);
});
