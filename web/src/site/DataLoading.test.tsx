// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import type { Root } from 'react-dom/client';
import useSWR from 'swr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DataLoading } from './DataLoading.tsx';

const DAY_MS = 86_400_000;
let key = 0;
let root: Root;
let fetched: ReturnType<typeof vi.fn<typeof fetch>>;

function Loaded() {
  const { data, error } = useSWR<{ a: number }, Error>(['/api/things', String(key)]);
  return <p>{error ? error.message : JSON.stringify(data)}</p>;
}

async function mount(): Promise<void> {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <DataLoading>
        <Loaded />
      </DataLoading>,
    ),
  );
}

/** Everything that makes a data library refetch: focus, a visible tab, a reconnection and time. */
async function liveOneDay(): Promise<void> {
  await act(async () => {
    // SWR ignores repeats within seconds of a fetch.
    await vi.advanceTimersByTimeAsync(DAY_MS / 2);
    window.dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(DAY_MS / 2);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  key += 1;
  fetched = vi.fn<typeof fetch>(async () => Response.json({ a: 1 }));
  vi.stubGlobal('fetch', fetched);
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('data is fetched from the key’s parts joined with slashes', async () => {
  await mount();

  expect(fetched.mock.calls[0]?.[0]).toBe(`/api/things/${key}`);
  expect(document.body.textContent).toBe('{"a":1}');
});

test('data is not refetched on focus, on reconnection or over time', async () => {
  await mount();

  await liveOneDay();

  expect(fetched).toHaveBeenCalledTimes(1);
});

test('data never goes stale: a request a day later gets the same data', async () => {
  await mount();
  await liveOneDay();
  await act(async () => root.unmount());

  await mount();
  await liveOneDay();

  expect(document.body.textContent).toBe('{"a":1}');
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('a failed fetch is not retried', async () => {
  fetched.mockImplementation(async () => new Response('down', { status: 503 }));
  await mount();

  await liveOneDay();

  expect(document.body.textContent).toBe('503: down');
  expect(fetched).toHaveBeenCalledTimes(1);
});
