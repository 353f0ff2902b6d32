import { act, screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { show, test } from '../../testing/component-test.tsx';
import { CodeReplaced, useCode } from './use-code.ts';

type Code = { name: string };

function Part({ fetchCode }: { fetchCode: () => Promise<Code> }) {
  const { code, fault } = useCode(fetchCode);
  const told =
    fault instanceof CodeReplaced
      ? 'Replaced'
      : fault === undefined
        ? 'Loading'
        : 'Could not be loaded';
  return <p>{code?.name ?? told}</p>;
}

test('code is not requested while the server is unreachable, and is fetched when it answers', async ({
  api,
}) => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  // A browser that has failed to fetch a file once never asks for it again.
  const fetchCode = vi.fn<() => Promise<Code>>().mockResolvedValue({ name: 'Figures' });
  api.disconnect('GET /livez');
  show(<Part fetchCode={fetchCode} />);
  await screen.findByText('Could not be loaded');
  expect(fetchCode).not.toHaveBeenCalled();

  api.answer('GET /livez', { status: 'ok' });
  await act(async () => vi.advanceTimersByTimeAsync(5_000));

  screen.getByText('Figures');
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(fetchCode).toHaveBeenCalledOnce();
});

test('code that has been fetched is there at once', async ({ api }) => {
  api.answer('GET /livez', { status: 'ok' });
  const fetchCode = async () => ({ name: 'Figures' });
  const { unmount } = show(<Part fetchCode={fetchCode} />);
  await screen.findByText('Figures');
  unmount();

  show(<Part fetchCode={fetchCode} />);

  screen.getByText('Figures');
});

test('code that a newer release has replaced says so', async ({ api }) => {
  api.answer('GET /livez', { status: 'ok' });
  const fetchCode = async () =>
    Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  show(<Part fetchCode={fetchCode} />);

  await waitFor(() => screen.getByText('Replaced'));
});
