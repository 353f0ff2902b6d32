import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { addGauge, shareReading } from './metrics.ts';

test('a gauge that cannot be read is absent, and returns when it can', async () => {
  const registry = new Registry();
  const readings = [1, null, 3];
  addGauge(registry, 'figure', 'A figure', () => {
    const next = readings.shift();
    return next === null ? Promise.reject(new Error('away')) : Promise.resolve(next ?? null);
  });
  const samples = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('figure'));

  expect(await samples()).toEqual(['figure 1']);
  expect(await samples()).toEqual([]);
  expect(await samples()).toEqual(['figure 3']);
});

test('a reading that hangs times out, and is not started again meanwhile', async () => {
  let asked = 0;
  const read = shareReading(
    () => {
      asked += 1;
      return new Promise<number>(() => undefined);
    },
    { keptMs: 60_000, timeoutMs: 20 },
  );

  expect(await Promise.all([read(), read()])).toEqual([null, null]);
  expect(await read()).toBeNull();
  expect(asked).toBe(1);
});
