// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SearchBox } from './SearchBox.tsx';

let root: Root;
const show = (words: string, onSearch: (words: string) => void) =>
  act(async () => root.render(<SearchBox words={words} onSearch={onSearch} />));

async function type(text: string): Promise<void> {
  const box = document.querySelector('input')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, text);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
});

test('a search that typing began joins the filter that was chosen before it started', async () => {
  const [before, after] = [vi.fn<(words: string) => void>(), vi.fn<(words: string) => void>()];
  await show('', before);
  await type('priya');
  await show('', after);
  await act(async () => vi.advanceTimersByTimeAsync(1_000));

  expect(before).not.toHaveBeenCalled();
  expect(after.mock.calls).toEqual([['priya']]);
});

test('going back while typing rests is not undone by what was typed', async () => {
  const search = vi.fn<(words: string) => void>();
  await show('priya', search);
  await type('priya r');
  await show('tom', search);
  await act(async () => vi.advanceTimersByTimeAsync(1_000));

  expect(search).not.toHaveBeenCalled();
  expect(document.querySelector('input')?.value).toBe('tom');
});
