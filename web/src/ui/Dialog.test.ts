import { expect, test, vi } from 'vitest';
import { stayAboveKeyboard } from './Dialog.tsx';

/** What the keyboard leaves of the window. */
function openKeyboard(height: number, more: { scale?: number; offsetTop?: number } = {}) {
  const view = Object.assign(new EventTarget(), { height, offsetTop: 0, scale: 1, ...more });
  vi.stubGlobal('visualViewport', view);
  return view;
}

test('a layer ends where the keyboard begins, and grows again when it closes', () => {
  const layer = document.createElement('div');
  const view = openKeyboard(window.innerHeight);
  const stop = stayAboveKeyboard(layer);
  expect(layer.style.height).toBe('');

  Object.assign(view, { height: 320, offsetTop: 12 });
  view.dispatchEvent(new Event('resize'));
  expect([layer.style.height, layer.style.top]).toEqual(['320px', '12px']);

  Object.assign(view, { height: window.innerHeight, offsetTop: 0 });
  view.dispatchEvent(new Event('resize'));
  expect([layer.style.height, layer.style.top]).toEqual(['', '']);

  stop?.();
  Object.assign(view, { height: 320 });
  view.dispatchEvent(new Event('resize'));
  expect(layer.style.height).toBe('');
});

test('a visitor who zooms in keeps the whole layer', () => {
  const layer = document.createElement('div');
  openKeyboard(320, { scale: 2 });

  stayAboveKeyboard(layer);

  expect(layer.style.height).toBe('');
});
