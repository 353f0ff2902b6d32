import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, vi } from 'vitest';
import { show, test } from '../testing/component-test.tsx';
import { toasts } from './toast-store.ts';

const FAILURE = { title: 'Subscription failed', description: 'Please try again.' };

/** Shows a toast on a page with fake timers. */
async function showToast(): Promise<HTMLElement> {
  show(<button type="button">Subscribe</button>);
  await import('./Toaster.tsx');
  vi.useFakeTimers();
  await act(async () => void toasts.add(FAILURE));
  return screen.getByText(FAILURE.title).closest('li')!;
}

/** Drags a toast sideways, as a finger or a mouse does. */
function swipe(toast: HTMLElement, pixels: number): void {
  const at = (x: number) => ({ pointerId: 1, button: 0, clientX: x, clientY: 20, bubbles: true });
  fireEvent.pointerDown(toast, at(100));
  for (const part of [0.25, 0.5, 0.75, 1]) fireEvent.pointerMove(toast, at(100 + pixels * part));
  fireEvent.pointerUp(toast, at(100 + pixels));
}

afterEach(() => {
  vi.doUnmock('./Toaster.tsx');
  // Files share the modules. A file that could not fetch the toasts keeps the plain form.
  vi.resetModules();
});

test('a toast is shown for five seconds', async () => {
  const toast = await showToast();
  expect(toast.textContent).toContain('Subscription failedPlease try again.');

  await act(async () => vi.advanceTimersByTimeAsync(4_999));
  expect(toast.isConnected).toBe(true);
  await act(async () => vi.advanceTimersByTimeAsync(1));

  expect(toast.isConnected).toBe(false);
});

test('a toast swiped right by more than 50 pixels closes', async () => {
  const toast = await showToast();

  await act(async () => swipe(toast, 50));
  expect(toast.dataset['state']).toBe('open');

  await act(async () => swipe(toast, 51));
  expect(toast.isConnected).toBe(false);
});

test('F8 moves the focus to the toasts', async () => {
  await showToast();
  const region = screen.getByRole('region', { name: 'Notifications (F8)' });
  expect(region.contains(document.activeElement)).toBe(false);

  await act(async () => void fireEvent.keyDown(document, { key: 'F8', code: 'F8' }));

  expect(region.contains(document.activeElement)).toBe(true);
});

test('a toast appears in plain form if its code cannot be fetched', async () => {
  vi.doMock('./Toaster.tsx', () => {
    throw new Error('Not found');
  });
  vi.resetModules();
  const { ToastOutlet } = await import('./ToastOutlet.tsx');
  const { toasts: reloaded } = await import('./toast-store.ts');
  show(<ToastOutlet />);

  act(() => void reloaded.add(FAILURE));

  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toBe('Subscription failed Please try again.'),
  );
});
