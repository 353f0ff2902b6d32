import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SETTLED_MS, showFocusedElements } from './show-focused.ts';

const shown: Element[] = [];
// Files share the page.
const listen = vi.spyOn(document, 'addEventListener');

beforeAll(() => {
  showFocusedElements();
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scrolled(
    this: Element,
  ) {
    shown.push(this);
  });
});

afterAll(() => {
  for (const [type, act, how] of listen.mock.calls) document.removeEventListener(type, act, how);
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

beforeEach(() => {
  vi.useFakeTimers();
  shown.length = 0;
  document.body.innerHTML = '<button id="load"><span>Load more</span></button><input id="field" />';
});

const get = (id: string) => document.getElementById(id)!;
const send = (target: Element, ...types: string[]) => {
  for (const type of types) target.dispatchEvent(new Event(type, { bubbles: true }));
};

/** A finger moves the focus only when it is up. */
function tap(button: HTMLElement): void {
  send(button.firstElementChild!, 'pointerdown', 'pointerup');
  button.focus();
  send(button, 'click');
}

test('what a finger pressed is not scrolled to, because the press may have moved it far', () => {
  tap(get('load'));
  vi.advanceTimersByTime(SETTLED_MS);
  expect(shown).toEqual([]);
});

test('what gets the focus after a press, or by a key, is scrolled into view', () => {
  tap(get('load'));
  get('field').focus();
  vi.advanceTimersByTime(SETTLED_MS);
  get('load').focus();
  vi.advanceTimersByTime(SETTLED_MS);
  expect(shown).toEqual([get('field'), get('load')]);
});
