import { randomInt } from 'node:crypto';
import { expect, inject, test as base } from 'vitest';

import { startServers } from '../drills/servers.ts';
import type { Servers } from '../drills/servers.ts';
import { playAtOnce, playHistory } from './history.ts';
import type { Outcome } from './history.ts';
import { startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: another seed each time. */
    modelSeed: number | null;
  }
}

/** Histories that share a database. */
const PER_DATABASE = 8;
const LONG_DATABASES = 25;
/** Far enough for the time that passes in them: Stripe's clock must not overtake ours. */
const STRIPE_BEHIND_DAYS = 365;

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

const seed = inject('modelSeed') ?? randomInt(2 ** 31);
console.log(`Seed of the histories: ${seed}. MODEL_SEED=${seed} plays them again.`);

/** Plays histories on a new database. Returns what broke first, after what was done before. */
async function playDatabase(servers: Servers, n: number, histories: number): Promise<string> {
  const product = await startProduct(servers);
  const report = (name: string, { wrong, story }: Outcome) =>
    wrong.length === 0 ? '' : [`seed ${seed}, ${name}:`, ...story, ...wrong].join('\n');
  try {
    product.sandbox.stripe.advance({ days: -STRIPE_BEHIND_DAYS });
    const closed = new Map<string, string>();
    for (let history = 1; history <= histories; history += 1) {
      const name = `d${n}h${history}`;
      const waitsForMails = n > 0 && history === histories;
      const outcome = await playHistory(product, { seed, name, closed, waitsForMails });
      if (outcome.wrong.length > 0) return report(name, outcome);
    }
    const name = `d${n}c`;
    return report(name, await playAtOnce(product, { seed, name }));
  } finally {
    await product.end();
  }
}

test(
  'every view agrees after each step of some histories',
  { timeout: 600_000 },
  async ({ servers }) => {
    expect(await playDatabase(servers, 0, PER_DATABASE)).toBe('');
  },
);

test.for(Array.from({ length: LONG_DATABASES }, (_, n) => n + 1))(
  'every view agrees after each step of many histories, database %i',
  { tags: ['long'], timeout: 900_000 },
  async (n, { servers }) => {
    expect(await playDatabase(servers, n, PER_DATABASE)).toBe('');
  },
);
