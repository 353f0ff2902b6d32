import { expect, test, vi } from 'vitest';
import { prepareLayer, stayAboveKeyboard } from './Dialog.tsx';

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

test.for(['mousedown', 'click'])(
  'the second %s of a double press that opened a layer does nothing in it',
  (press) => {
    const openLayer = () => {
      const layer = document.createElement('div');
      const heard = vi.fn();
      layer.append(document.createElement('input'));
      layer.firstElementChild?.addEventListener(press, heard);
      prepareLayer(layer);
      const send = (detail: number) =>
        layer.firstElementChild?.dispatchEvent(
          new MouseEvent(press, { bubbles: true, cancelable: true, detail }),
        );
      return { heard, send };
    };

    const { heard, send } = openLayer();
    expect(send(2)).toBe(false);
    expect(heard).not.toHaveBeenCalled();
    expect(send(1)).toBe(true);

    vi.spyOn(performance, 'now').mockReturnValue(performance.now() - 501);
    const earlier = openLayer();
    vi.restoreAllMocks();
    expect(earlier.send(2)).toBe(true);
  },
);
