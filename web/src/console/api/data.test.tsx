import { act, render } from '@testing-library/react';
import type { RenderResult } from '@testing-library/react';
import useSWR from 'swr';
import { expect, vi } from 'vitest';
import { test } from '../../testing/component-test.tsx';
import { createFetcher, DataLoading } from './data.tsx';

const DAY_MS = 86_400_000;
let key = 0;
let view: RenderResult;
let fetched: ReturnType<typeof vi.fn<typeof fetch>>;

function Loaded() {
  const { data, error } = useSWR<{ a: number }, Error>(`/api/things/${key}`);
  return <p>{error ? error.message : JSON.stringify(data)}</p>;
}

async function mount(): Promise<void> {
  await act(async () => {
    view = render(
      <DataLoading>
        <Loaded />
      </DataLoading>,
    );
  });
}

/**
 * Triggers everything that makes a data library refetch: focus, a visible tab, a reconnection and
 * time.
 */
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

test.beforeEach(() => {
  vi.useFakeTimers();
  // SWR's own cache outlives a test.
  key += 1;
  fetched = vi.fn<typeof fetch>(async () => Response.json({ a: 1 }));
  vi.stubGlobal('fetch', fetched);
});

test('a key’s parts are joined with slashes, and a 401 is an error or null', async () => {
  await createFetcher()(['/api/things', '7', 'notes']);
  fetched.mockImplementation(async () => new Response('no', { status: 401 }));

  expect(fetched.mock.calls[0]?.[0]).toBe('/api/things/7/notes');
  await expect(createFetcher()('/api/things')).rejects.toThrow('401');
  expect(await createFetcher({ on401: 'null' })('/api/things')).toBeNull();
});

test('data is not refetched on focus, on reconnection or over time', async () => {
  await mount();

  await liveOneDay();

  expect(fetched).toHaveBeenCalledTimes(1);
});

test('data never goes stale: a request a day later gets the same data', async () => {
  await mount();
  await liveOneDay();
  await act(async () => view.unmount());

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
