import { expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { measureRateLimiter } from './measure-rate-limiter.ts';

test('the rate limiter is shared by two workers', async ({ drill }) => {
  const { used } = await measureRateLimiter(drill, { requests: 600, windowMs: 60_000, leads: 40 });

  // A slot may be used a second late, which is a quarter of this run. Two limiters would use twice
  // the allowance. `npm run drill` measures it at the real rate for more than a minute.
  expect(used).toBeLessThan(1.4);
  expect(used).toBeGreaterThan(0.5);
  expect(await drill.audit()).toEqual([]);
});
