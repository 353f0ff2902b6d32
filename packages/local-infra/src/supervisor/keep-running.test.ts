import { expect, test } from 'vitest';

import { keepRunning } from './keep-running.ts';
import type { Running } from './keep-running.ts';

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

function buildPart(starts: (number: number) => 'runs' | 'ends' | 'fails') {
  let count = 0;
  const running: { end: (why: string) => void }[] = [];
  const start = async (): Promise<Running> => {
    count += 1;
    const fate = starts(count);
    if (fate === 'fails') throw new Error('no luck.');
    const { promise, resolve } = withResolvers<string>();
    running.push({ end: resolve });
    if (fate === 'ends') resolve('exit code 1');
    return { ended: promise, stop: async () => resolve('asked') };
  };
  return {
    part: { name: 'worker', start },
    count: () => count,
    end: (why: string) => running.at(-1)?.end(why),
  };
}

test('a part is restarted with growing delays until it stays up', async () => {
  const said: string[] = [];
  const stays = withResolvers<void>();
  const { part, end } = buildPart((number) =>
    number < 2 || number > 3 ? 'runs' : number === 2 ? 'fails' : 'ends',
  );
  const say = (line: string) => {
    said.push(line);
    if (said.filter((text) => text.includes('running again')).length === 2) stays.resolve();
  };

  const kept = await keepRunning(part, { say, firstDelayMs: 1 });
  end('SIGKILL');
  await stays.promise;
  await kept.stop();

  expect(said.map((line) => line.replaceAll(/[\d.]+ s/g, '…'))).toEqual([
    'worker ended (SIGKILL); starting it again in ….',
    'worker did not start: no luck. Next try in ….',
    'worker is running again.',
    'worker ended (exit code 1); starting it again in ….',
    'worker is running again.',
  ]);
});

test('a failed first start is not repeated', async () => {
  const { part, count } = buildPart(() => 'fails');

  await expect(keepRunning(part, { say: () => undefined })).rejects.toThrow('no luck.');
  expect(count()).toBe(1);
});

test('a part that was stopped is not restarted', async () => {
  const { part, count } = buildPart(() => 'runs');
  const kept = await keepRunning(part, { say: () => undefined, firstDelayMs: 1 });

  await kept.stop();

  expect(count()).toBe(1);
});
