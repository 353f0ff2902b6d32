import { expect, test } from 'vitest';
import { TimeoutError, withTimeout } from './with-timeout.ts';

const never = () => new Promise<never>(() => undefined);

test('work that finishes in time returns its result and leaves no timer behind', async () => {
  const timersBefore = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  const result = await withTimeout(60_000, () => Promise.resolve('done'));

  expect(result).toBe('done');
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(
    timersBefore,
  );
});

test('work that takes too long fails with a TimeoutError, and its signal is aborted', async () => {
  let signal: AbortSignal | undefined;

  const late = withTimeout(20, (deadline) => {
    signal = deadline.signal;
    return never();
  });

  await expect(late).rejects.toBeInstanceOf(TimeoutError);
  expect(signal?.aborted).toBe(true);
});
