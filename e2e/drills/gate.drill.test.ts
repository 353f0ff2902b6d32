import { describe, expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { measureGate } from './measure-gate.ts';

describe('the gate', () => {
  test('holds for two workers together, and little of the allowance is left unused', async ({ drill }) => {
    // The real rate, six times as fast.
    const { most, used, refused } = await measureGate(drill, { requests: 120, windowMs: 8_000, leads: 145 });

    expect(most).toBeLessThanOrEqual(120);
    expect(used).toBeGreaterThanOrEqual(0.95);
    expect(refused).toBe(0);
    expect(await drill.audit()).toEqual([]);
  });
});
