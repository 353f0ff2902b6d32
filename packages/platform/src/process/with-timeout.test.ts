import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { TimeoutError, withTimeout } from './with-timeout.ts';

const never = () => new Promise<never>(() => undefined);

test('work that finishes in time returns its result and leaves no timer behind', async () => {
  const timersBefore = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  const result = await withTimeout(60_000, () => Promise.resolve('done'));

  expect(result).toBe('done');
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(timersBefore);
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

test('a failure of the work, thrown or rejected, is passed on', async () => {
  const thrown = withTimeout(1_000, () => {
    throw new Error('at once');
  });
  await expect(thrown).rejects.toThrow('at once');
  await expect(withTimeout(1_000, () => Promise.reject(new Error('later')))).rejects.toThrow('later');
});

test("the caller's own signal ends the work with its reason", async () => {
  const stopping = new AbortController();
  const stopped = withTimeout(60_000, ({ signal }) => sleep(60_000, undefined, { signal }), { abort: stopping.signal });

  stopping.abort(new Error('the worker stops'));

  await expect(stopped).rejects.toThrow('the worker stops');
});

test('a signal that is aborted already keeps the work from starting', async () => {
  let hasStarted = false;
  const work = () => {
    hasStarted = true;
    return never();
  };

  await expect(withTimeout(1_000, work, { abort: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
  expect(hasStarted).toBe(false);
});

test('the work can ask how much time is left', async () => {
  const left = await withTimeout(5_000, ({ leftMs }) => Promise.resolve(leftMs()));

  expect(left).toBeGreaterThan(4_000);
  expect(left).toBeLessThanOrEqual(5_000);
});
