import { expect, inject, test as base } from 'vitest';

import { startServers } from '../drills/servers.ts';
import { playAtOnce, playHistory } from './history.ts';
import { startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    agreement: { seed: number; databases: number };
  }
}

/** Histories that share a database. */
const PER_DATABASE = 4;
/** Far enough for the time that passes in them: Stripe's clock must not overtake ours. */
const STRIPE_BEHIND_DAYS = 360;

const test = base.extend(
  'servers',
  { scope: 'worker' },
  // oxlint-disable-next-line no-empty-pattern -- the runner reads a fixture's needs from its first parameter
  async ({}, { onCleanup }) => {
    const servers = await startServers();
    onCleanup(() => servers.remove());
    return servers;
  },
);

const { seed, databases } = inject('agreement');

test.for(Array.from({ length: databases }, (_, n) => n + 1))(
  'every view agrees after each step, database %i',
  { timeout: 400_000 },
  async (n, { servers }) => {
    const product = await startProduct(servers);
    try {
      product.sandbox.stripe.advance({ days: -STRIPE_BEHIND_DAYS });
      const closed = new Map<string, string>();
      for (let history = 1; history <= PER_DATABASE; history += 1) {
        const name = `d${n}h${history}`;
        const { wrong, story } = await playHistory(product, { seed, name, closed });
        expect(wrong, `seed ${seed}, ${name}:\n${story.join('\n')}`).toEqual([]);
      }
      const name = `d${n}c`;
      const { wrong, story } = await playAtOnce(product, { seed, name });
      expect(wrong, `seed ${seed}, ${name}:\n${story.join('\n')}`).toEqual([]);
    } finally {
      await product.end();
    }
  },
);
