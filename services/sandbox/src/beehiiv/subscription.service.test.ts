// @module-tag long
import { expect, test } from 'vitest';
import { beehiivClient, startSandbox } from '../testing/fixtures.ts';

test.each(['limit=0', 'limit=101', 'limit=x', 'expand[]=secrets', 'surprise=1', 'cursor=nonsense'])(
  'a list with the query %s is refused with 400',
  async (query) => {
    const { status } = await beehiivClient(await startSandbox()).get(`/subscriptions?${query}`);

    expect(status).toBe(400);
  },
);
