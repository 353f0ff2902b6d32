import { randomInt } from 'node:crypto';
import { expect, inject, test as base } from 'vitest';

import { startServers } from '../drills/servers.ts';
import type { Servers } from '../drills/servers.ts';
import { playAtOnce, playHistory } from './history.ts';
import type { Outcome } from './history.ts';
import { startProduct } from './product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null: the usual seed, and a new seed for the long tests. */
    modelSeed: number | null;
  }
}

/** Histories that share a database, one after the other. */
const PER_DATABASE = 4;
/** Parallel databases, so that one works while the other waits. */
const AT_ONCE = 2;
const LONG_TURNS = 25;
/** The histories' length: Stripe's clock must not overtake ours. */
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

const given = inject('modelSeed');
/** Every change is tested with the same few histories. The long tests play new histories. */
const usualSeed = given ?? 8;
const newSeed = given ?? randomInt(2 ** 31);
console.log(`Seeds of the histories: ${usualSeed}, long ${newSeed}. MODEL_SEED plays one again.`);

/** Plays histories on a new database. Returns the first failure, after the actions before it. */
async function playDatabase(servers: Servers, seed: number, n: number): Promise<string> {
  const product = await startProduct(servers, n % AT_ONCE);
  const report = (name: string, { wrong, story }: Outcome) =>
    wrong.length === 0 ? '' : [`seed ${seed}, ${name}:`, ...story, ...wrong].join('\n');
  try {
    product.sandbox.stripe.advance({ days: -STRIPE_BEHIND_DAYS });
    const closed = new Map<string, string>();
    for (let history = 1; history <= PER_DATABASE; history += 1) {
      const name = `d${n}h${history}`;
      const waitsForMails = n >= AT_ONCE && history === PER_DATABASE;
      const outcome = await playHistory(product, { seed, name, closed, waitsForMails });
      if (outcome.wrong.length > 0) return report(name, outcome);
    }
    const name = `d${n}c`;
    return report(name, await playAtOnce(product, { seed, name }));
  } finally {
    await product.end();
  }
}

/** Plays on several databases at once. */
async function play(servers: Servers, seed: number, turn: number): Promise<string[]> {
  const databases = Array.from({ length: AT_ONCE }, (_, n) => turn * AT_ONCE + n);
  return Promise.all(databases.map((n) => playDatabase(servers, seed, n)));
}
const NOTHING = Array.from({ length: AT_ONCE }, () => '');

test('every view agrees after each step of some histories', async ({ servers }) => {
  expect(await play(servers, usualSeed, 0)).toEqual(NOTHING);
});

test.for(Array.from({ length: LONG_TURNS }, (_, n) => n + 1))(
  'every view agrees after each step of many histories, turn %i',
  { tags: ['long'], timeout: 600_000 },
  async (turn, { servers }) => {
    expect(await play(servers, newSeed, turn)).toEqual(NOTHING);
  },
);
