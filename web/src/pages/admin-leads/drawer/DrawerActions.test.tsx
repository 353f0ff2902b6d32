// @vitest-environment happy-dom
import type { LeadDetailAnswer } from '@site/schema/admin';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionGate } from '../session/session.tsx';
import { DrawerActions } from './DrawerActions.tsx';

const RIGHT = { id: '0190a000-0000-7000-8000-000000000002', email: 'oliver@gmail.example' };

let root: Root;

async function show(correctedTo: typeof RIGHT | null): Promise<void> {
  const lead = { id: 'lead-1', email: 'oliver@gmial.example', beehiivStatus: 'failed', quarantineReason: null };
  const detail = { lead, correctedTo } as LeadDetailAnswer;
  const never = () => Promise.reject(new Error('not asked for'));
  await act(async () =>
    root.render(
      <BrowserRouter>
        <SessionGate>
          <DrawerActions detail={detail} isPaused={false} onReload={never} />
        </SessionGate>
      </BrowserRouter>,
    ),
  );
}

const buttonOf = (words: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === words);

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', async () => Response.json({ username: 'ana' }));
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

test('a failed lead can be retried and corrected', async () => {
  await show(null);

  expect(buttonOf('Retry now')).toBeDefined();
  expect(buttonOf('Correct the address…')).toBeDefined();
  expect(document.body.textContent).not.toContain('Corrected to');
});

test('a corrected lead links to the new one instead of offering a retry', async () => {
  await show(RIGHT);

  expect(buttonOf('Retry now')).toBeUndefined();
  expect(document.body.textContent).toContain(`Corrected to ${RIGHT.email}`);
  await act(async () => buttonOf(RIGHT.email)?.click());
  expect(window.location.search).toBe(`?lead=${RIGHT.id}`);
});
