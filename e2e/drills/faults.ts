import type { FaultMode } from '@site/sandbox/traffic/faults';

import type { Chance } from './chance.ts';
import type { Drill } from './drill.ts';
import { startLoadingRedis } from './loading-redis.ts';
import type { ServiceProcess } from './service-process.ts';

/**
 * The parts that a fault can break. Each part has one fault at a time, and faults of different
 * parts overlap.
 */
export type World = { drill: Drill; apis: ServiceProcess[]; workers: ServiceProcess[] };

export type Fault = {
  name: string;
  /** The fault's duration in seconds. */
  lasts: [least: number, most: number];
  /** Starts the fault and returns a function that ends it. */
  strike(world: World, chance: Chance): Promise<() => Promise<void> | void>;
};

const NOTHING_TO_END = () => undefined;

const misbehave = (mode: FaultMode, more: { status?: number; delayMs?: number } = {}): Fault => ({
  name: `Beehiiv: ${mode}${more.status === undefined ? '' : ` ${more.status}`}`,
  lasts: [2, 12],
  strike({ drill }) {
    drill.beehiiv(mode, more);
    return Promise.resolve(() => drill.beehiiv('ok'));
  },
});

async function killAll(processes: ServiceProcess[]): Promise<() => Promise<void>> {
  await Promise.all(processes.map((program) => program.kill()));
  return async () => {
    await Promise.all(processes.map((program) => program.start()));
  };
}

/** All possible faults of each part. */
export const FAULTS: Record<string, Fault[]> = {
  redis: [
    {
      name: 'Redis stopped',
      lasts: [20, 20],
      async strike({ drill: { servers } }) {
        await servers.valkey.stop();
        return () => servers.valkey.start();
      },
    },
    {
      name: 'Redis flushed',
      lasts: [0, 1],
      async strike({ drill: { servers } }) {
        await servers.tellValkey('FLUSHALL');
        return NOTHING_TO_END;
      },
    },
    {
      name: 'Redis loading',
      lasts: [2, 10],
      async strike({ drill: { servers } }) {
        await servers.valkey.stop();
        const loading = await startLoadingRedis(servers.valkey.port);
        return async () => {
          await loading.stop();
          await servers.valkey.start();
        };
      },
    },
  ],
  postgres: [
    {
      name: 'Postgres crashed',
      lasts: [0, 8],
      async strike({ drill: { servers } }) {
        await servers.postgres.crash();
        return () => servers.postgres.start();
      },
    },
  ],
  worker: [
    {
      name: 'a worker killed',
      lasts: [0, 8],
      strike: ({ workers }, chance) => killAll([chance.oneOf(workers)]),
    },
    { name: 'all workers killed', lasts: [0, 8], strike: ({ workers }) => killAll(workers) },
  ],
  api: [
    {
      name: 'an API killed',
      lasts: [0, 8],
      strike: ({ apis }, chance) => killAll([chance.oneOf(apis)]),
    },
  ],
  beehiiv: [
    misbehave('status', { status: 500 }),
    misbehave('status', { status: 503 }),
    misbehave('status', { status: 401 }),
    misbehave('rate-limit', { delayMs: 3_000 }),
    misbehave('hang'),
    misbehave('reset'),
    misbehave('before-reset'),
    misbehave('slow', { delayMs: 2_000 }),
    misbehave('garbage'),
    misbehave('half-json'),
  ],
};
