// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { Accordion } from './Accordion.tsx';

const items = [
  { id: 'a', heading: 'First?', content: 'One.' },
  { id: 'b', heading: 'Second?', content: 'Two.' },
];

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.replaceChildren(document.createElement('div'));
  await act(async () => createRoot(document.body.firstElementChild!).render(<Accordion items={items} />));
});

const openOnes = () =>
  [...document.querySelectorAll('button')].map((button) => button.getAttribute('aria-expanded') === 'true');

async function clickHeading(index: number): Promise<void> {
  await act(async () => document.querySelectorAll('button')[index]!.click());
}

test('opening one closes the other, and the open one can be closed', async () => {
  expect(openOnes()).toEqual([false, false]);

  await clickHeading(0);
  expect(openOnes()).toEqual([true, false]);

  await clickHeading(1);
  expect(openOnes()).toEqual([false, true]);

  await clickHeading(1);
  expect(openOnes()).toEqual([false, false]);
});

test('closed content stays in the page', () => {
  expect(document.body.textContent).toContain('One.');
});
