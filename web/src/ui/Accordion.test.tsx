import { screen } from '@testing-library/react';
import { expect } from 'vitest';
import { show, test } from '../testing/component-test.tsx';
import { Accordion } from './Accordion.tsx';

const ITEMS = [
  { id: 'a', heading: 'First?', content: 'One.' },
  { id: 'b', heading: 'Second?', content: 'Two.' },
];

const heading = (name: string) => screen.getByRole('button', { name });
const open = () => ['First?', 'Second?'].filter((name) => heading(name).getAttribute('aria-expanded') === 'true');

test('opening one item closes the other, and the open one can be closed', async ({ user }) => {
  show(<Accordion items={ITEMS} />);
  expect(open()).toEqual([]);

  await user.click(heading('First?'));
  expect(open()).toEqual(['First?']);

  await user.click(heading('Second?'));
  expect(open()).toEqual(['Second?']);

  await user.click(heading('Second?'));
  expect(open()).toEqual([]);
});

test('the headings of the items work with the keyboard', async ({ user }) => {
  show(<Accordion items={ITEMS} />);

  await user.tab();
  await user.keyboard('{Enter}');
  expect(open()).toEqual(['First?']);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(heading('Second?'));
  await user.keyboard(' ');
  expect(open()).toEqual(['Second?']);
});

test('the content of a closed item stays in the page', () => {
  show(<Accordion items={ITEMS} />);

  expect(document.body.textContent).toContain('One.');
});
