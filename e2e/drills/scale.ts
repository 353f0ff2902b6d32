import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createDrill } from './drill.ts';
import type { Drill } from './drill.ts';
import { readFigures } from './fairness.ts';
import { startRedisCluster } from './redis-cluster.ts';
import type { RedisCluster } from './redis-cluster.ts';
import { startServers } from './servers.ts';

/*
 * npm run drill:scale: three API processes and three workers, as on three machines, with a Redis
 * Cluster. Visitors take turns at the API processes, as behind a proxy. Exits with 1 if a promise
 * was broken.
 */

type Scenario = {
  name: string;
  /** Requests a minute that the sandbox allows; 0 for no limit. */
  allowed: number;
  run: (drill: Drill, cluster: RedisCluster) => Promise<string[]>;
};

const MINUTE_MS = 60_000;
const AWAY_MS = 15_000;
const MANY_WORKERS = 20;
/** `WORKER_CONCURRENCY` and four for the timers, as docs/install.md promises. */
const CONNECTIONS_OF_A_WORKER = 20;
const thrice = <T>(start: () => Promise<T>) => Promise.all([start(), start(), start()]);

const SCENARIOS: Scenario[] = [
  {
    name: 'one rate for all workers',
    allowed: 180,
    async run(drill, { url }) {
      await thrice(() => drill.startApi({ REDIS_URL: url }));
      await thrice(() => drill.startWorker({ REDIS_URL: url, BEEHIIV_REQUESTS_PER_MINUTE: '150' }));
      await Promise.all(Array.from({ length: 200 }, () => drill.ledger.submit()));
      await drill.settle(3 * MINUTE_MS);
      const { busiestMinute } = await readFigures(drill, []);
      return busiestMinute <= 150 ? [] : [`${busiestMinute} requests in one minute`];
    },
  },
  {
    name: 'each master away for 15 s, and emptied',
    allowed: 0,
    async run(drill, cluster) {
      const { url, masters } = cluster;
      await thrice(() => drill.startApi({ REDIS_URL: url }));
      await thrice(() => drill.startWorker({ REDIS_URL: url }));
      const visits = drill.ledger.visit(10);
      for (const master of masters) {
        const start = await cluster.kill(master);
        await sleep(AWAY_MS);
        await start();
        for (const each of masters) await cluster.tell(each, 'flushall');
      }
      await visits.end();
      await drill.settle(MINUTE_MS);
      return drill.ledger.refused.map(({ status }) => `a visitor was refused with ${status}`);
    },
  },
  {
    name: `${MANY_WORKERS} workers open no more connections than promised`,
    allowed: 0,
    async run(drill, { url }) {
      await drill.startApi({ REDIS_URL: url });
      for (let n = 0; n < MANY_WORKERS; n++) await drill.startWorker({ REDIS_URL: url });
      const visits = drill.ledger.visit(40);
      let most = 0;
      for (let look = 0; look < 20; look++) {
        await sleep(1_000);
        const { rows } = await drill.db.raw(
          `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like 'worker%'`,
        );
        most = Math.max(most, rows[0].n);
      }
      await visits.end();
      await drill.settle(MINUTE_MS);
      say(`  ${MANY_WORKERS} workers, at most ${most} connections to Postgres`);
      return most <= MANY_WORKERS * CONNECTIONS_OF_A_WORKER ? [] : [`${most} connections`];
    },
  },
];

const { values } = parseArgs({ options: { case: { type: 'string', default: '' } } });
const since = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - since) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const [servers, cluster] = await Promise.all([startServers(), startRedisCluster()]);
const broken: string[] = [];
try {
  for (const { name, allowed, run } of SCENARIOS.filter((each) =>
    each.name.includes(values.case),
  )) {
    say(name);
    const drill = await createDrill(servers, { requestsPerMinute: allowed });
    try {
      const faults = [...(await run(drill, cluster)), ...(await drill.audit())];
      const { accepted, sent, busiestMinute, longestWaitSeconds } = await readFigures(drill, []);
      say(
        `  accepted ${accepted}, sent ${sent}, ${busiestMinute} requests in the busiest minute, longest wait ${longestWaitSeconds.toFixed(1)} s`,
      );
      if (faults.length > 0) console.error(drill.logs());
      broken.push(...faults.map((fault) => `${name}: ${fault}`));
    } finally {
      await drill.end();
    }
  }
} finally {
  await Promise.all([servers.remove(), cluster.remove()]);
}
for (const fault of broken.slice(0, 50)) console.error(`  ✗ ${fault}`);
console.log(broken.length === 0 ? 'All promises held.' : `${broken.length} promises were broken.`);
process.exit(broken.length === 0 ? 0 : 1);
