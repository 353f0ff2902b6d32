import { act, screen } from '@testing-library/react';
import { expect, vi } from 'vitest';
import { show, test } from '../../../testing/component-test.tsx';
import { useCode } from './use-code.ts';

test('code that cannot be fetched leaves its surroundings alone, and is fetched again by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const fetchCode = vi
    .fn<() => Promise<{ name: string }>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
    .mockResolvedValue({ name: 'Figures' });
  function Part() {
    const { code, fault } = useCode(fetchCode);
    return <p>{code?.name ?? (fault === undefined ? 'Loading' : 'Could not be loaded')}</p>;
  }
  show(<Part />);
  await screen.findByText('Could not be loaded');

  await act(async () => vi.advanceTimersByTimeAsync(5_000));

  screen.getByText('Figures');
  await act(async () => vi.advanceTimersByTimeAsync(10_000));
  expect(fetchCode).toHaveBeenCalledTimes(2);
});
