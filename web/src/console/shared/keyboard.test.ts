// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { toCommand } from './keyboard.ts';

function buildPress(
  given: Partial<Parameters<typeof toCommand>[0]>,
): Parameters<typeof toCommand>[0] {
  return {
    key: 'j',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    target: document.body,
    ...given,
  };
}

function placeInPage(html: string, selector: string): Element {
  document.body.innerHTML = html;
  return document.querySelector(selector)!;
}

test.each([
  ['/', 'search'],
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['x', 'select'],
  ['r', 'retry'],
  ['?', 'help'],
])('the key %s means %s', (key, command) => {
  expect(toCommand(buildPress({ key }))).toBe(command);
});

test('an arrow key moves from row to row, and elsewhere scrolls the page', () => {
  const target = placeInPage('<div id="lead-1"><a href="/">Priya</a></div>', 'a');

  expect(toCommand(buildPress({ key: 'ArrowDown', target }))).toBe('next');
  expect(toCommand(buildPress({ key: 'ArrowUp', target }))).toBe('previous');
  expect(toCommand(buildPress({ key: 'ArrowDown' }))).toBeUndefined();
});

test('letters typed into a field are only letters', () => {
  expect(toCommand(buildPress({ target: placeInPage('<input>', 'input') }))).toBeUndefined();
});

test('a dialog keeps its keys to itself', () => {
  const target = placeInPage('<div role="dialog"><button>Close</button></div>', 'button');

  expect(toCommand(buildPress({ target }))).toBeUndefined();
});

test('in the drawer beside the list, only the keys that move through the list work', () => {
  const target = placeInPage(
    '<div role="dialog" data-beside-list><button>Close</button></div>',
    'button',
  );

  expect(toCommand(buildPress({ target }))).toBe('next');
  expect(toCommand(buildPress({ key: 'k', target }))).toBe('previous');
  expect(toCommand(buildPress({ key: 'x', target }))).toBeUndefined();
  expect(toCommand(buildPress({ key: '/', target }))).toBeUndefined();
});

test('Enter on a link follows the link', () => {
  const target = placeInPage('<a href="#">Leads</a>', 'a');

  expect(toCommand(buildPress({ key: 'Enter', target }))).toBeUndefined();
});

test('the browser’s own shortcuts are left to the browser', () => {
  expect(toCommand(buildPress({ key: 'r', ctrlKey: true }))).toBeUndefined();
  expect(toCommand(buildPress({ key: 'r', metaKey: true }))).toBeUndefined();
});
