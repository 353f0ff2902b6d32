import { describe, expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { measureRateLimiter } from './measure-rate-limiter.ts';

describe('the rate limiter', () => {
  test('holds for two workers together, and little of the allowance is left unused', async ({ drill }) => {
    // The real rate, six times as fast. One request too many would need two of them 400 ms apart in lateness.
    const { most, used, refused } = await measureRateLimiter(drill, { requests: 240, windowMs: 16_000, leads: 280 });

    expect(most).toBeLessThanOrEqual(240);
    expect(used).toBeGreaterThanOrEqual(0.95);
    expect(refused).toBe(0);
    expect(await drill.audit()).toEqual([]);
  });
});
