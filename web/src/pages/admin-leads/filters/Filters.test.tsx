// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Filters } from './Filters.tsx';

let root: Root;

async function describeExport(exported: number | undefined): Promise<string | undefined> {
  await act(async () => root.render(<Filters filter={{}} exported={exported} onApply={() => undefined} />));
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Export CSV')!;
  const id = button.getAttribute('aria-describedby');
  return id === null ? undefined : document.querySelector(`[id="${id}"]`)!.textContent;
}

beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

test('an export with more rows than a sheet of Excel says so at its button, and no other does', async () => {
  expect(await describeExport(undefined)).toBeUndefined();
  expect(await describeExport(0)).toBeUndefined();
  expect(await describeExport(1_048_575)).toBeUndefined();
  expect(await describeExport(1_048_576)).toContain('Excel shows only the first 1,048,575 leads');
});
