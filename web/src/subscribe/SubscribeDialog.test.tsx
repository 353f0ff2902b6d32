// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SubscribeDialog } from './SubscribeDialog.tsx';

let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await show(true);
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

async function show(open: boolean): Promise<void> {
  await act(async () =>
    root.render(
      <SubscribeDialog open={open} from="nav_sub" openedAt={0} draft={null} opener={null} onClose={() => undefined} />,
    ),
  );
}

function field(name: string): HTMLInputElement {
  return document.querySelector<HTMLInputElement>(`input[name="${name}"]`)!;
}

async function type(name: string, text: string): Promise<void> {
  await act(async () => {
    const input = field(name);
    input.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

async function submit(): Promise<void> {
  await act(async () => {
    document.querySelector('form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
}

test('the dialog is named after the product and asks for four things', () => {
  expect(document.querySelector('[role=dialog] h2')?.textContent).toBe('Subscribe to Liquidation Ledger');
  expect([...document.querySelectorAll('form label')].map((label) => label.textContent)).toEqual([
    'Full Name',
    'Email Address',
    'Company (Optional)',
    'Phone (Optional)',
    'Website',
  ]);
});

test('an address that is none is not sent: it is said beside the field, and the focus goes there', async () => {
  const fetched = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetched);
  await type('fullName', 'Priya Raman');
  await type('email', 'priya@northgate');

  await submit();

  expect(fetched).not.toHaveBeenCalled();
  expect(field('email').getAttribute('aria-invalid')).toBe('true');
  const message = document.getElementById(field('email').getAttribute('aria-describedby')!);
  expect(message?.textContent).toBe('The address needs an ending, as in name@company.co.uk');
  expect(document.activeElement).toBe(field('email'));
});

test('what was typed is there again after closing', async () => {
  await type('fullName', 'Priya Raman');

  await show(false);
  expect(document.querySelector('[role=dialog]')).toBeNull();
  await show(true);

  expect(field('fullName').value).toBe('Priya Raman');
});

test('while a request is under way the button says so and a second submit sends nothing', async () => {
  const fetched = vi.fn<typeof fetch>(() => new Promise(() => undefined));
  vi.stubGlobal('fetch', fetched);
  await type('fullName', 'Priya Raman');
  await type('email', 'priya@northgate.example');

  await submit();
  await submit();

  const button = document.querySelector('button[type=submit]')!;
  expect(button.textContent).toContain('Processing...');
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect(fetched).toHaveBeenCalledTimes(1);
});
