import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { createDrill } from './drill.ts';
import { CASES, readFigures } from './fairness.ts';
import type { Case } from './fairness.ts';
import { HEALTH_CASES } from './health.ts';
import { measureRateLimiter } from './measure-rate-limiter.ts';
import { runRandomDrill } from './random-drill.ts';
import { startServers } from './servers.ts';
import type { Servers } from './servers.ts';

/*
 * The long drill: minutes of random faults, more than a minute of the rate limiter at its real
 * rate, then the effects of one fault on everybody else. Exits with 1 if a promise was broken.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    minutes: { type: 'string', default: '5' },
    case: { type: 'string' },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
const since = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - since) / 1_000).toFixed(0).padStart(5)} s  ${line}`);

async function failByChance(servers: Servers): Promise<string[]> {
  const drill = await createDrill(servers);
  try {
    const faults = await runRandomDrill(drill, { seed, minutes, signal: stopping.signal, say });
    if (faults.length > 0) console.error(drill.logs());
    return faults;
  } finally {
    await drill.end();
  }
}

async function tryRateLimiter(servers: Servers): Promise<string[]> {
  const drill = await createDrill(servers, { requestsPerMinute: 180 });
  try {
    const { most, used, refused } = await measureRateLimiter(drill, {
      requests: 150,
      windowMs: 60_000,
      leads: 180,
    });
    say(
      `rate limiter: at most ${most} in 60 s, ${(used * 100).toFixed(1)} % of the allowance used, ${refused} answers with 429`,
    );
    const faults = await drill.audit();
    if (most > 150) faults.push(`${most} requests in 60 s`);
    if (used < 0.95) faults.push(`only ${(used * 100).toFixed(1)} % of the allowance used`);
    if (refused > 0) faults.push(`${refused} answers with 429`);
    return faults;
  } finally {
    await drill.end();
  }
}

/** Runs one case and prints its ledger. */
async function tryCase(servers: Servers, { name, allowed, run }: Case): Promise<string[]> {
  say(name);
  const drill = await createDrill(servers, { requestsPerMinute: allowed });
  try {
    const { failed = [], faults } = await run(drill);
    const wrongLight = drill.light.wrongSeconds();
    faults.push(...(await drill.audit({ failed })));
    const figures = await readFigures(drill, failed);
    say(
      `  accepted ${figures.accepted}, sent ${figures.sent}, correctly failed ${figures.failed}, ` +
        `${figures.busiestMinute} requests in the busiest minute, longest wait of a good lead ${figures.longestWaitSeconds.toFixed(1)} s` +
        (wrongLight === null ? '' : `, light wrong for ${wrongLight.toFixed(1)} s`),
    );
    if (faults.length > 0) console.error(drill.logs());
    return faults.map((fault) => `${name}: ${fault}`);
  } catch (error) {
    console.error(drill.logs());
    return [`${name}: ${String(error)}`];
  } finally {
    await drill.end();
    await servers.tellValkey('FLUSHALL');
  }
}

if (!Number.isInteger(seed) || !(minutes > 0)) {
  console.error('--seed takes a whole number, and --minutes a number above 0.');
  process.exit(1);
}
console.log(
  `seed ${seed}, ${minutes} minutes; again: npm run drill -- --seed ${seed} --minutes ${minutes}`,
);
const servers = await startServers();
let broken: string[] = [];
try {
  if (values.case === undefined) {
    broken = await failByChance(servers);
    await servers.tellValkey('FLUSHALL');
    if (!stopping.signal.aborted) broken.push(...(await tryRateLimiter(servers)));
    await servers.tellValkey('FLUSHALL');
  }
  for (const each of [...CASES, ...HEALTH_CASES].filter(({ name }) =>
    name.includes(values.case ?? ''),
  )) {
    if (!stopping.signal.aborted) broken.push(...(await tryCase(servers, each)));
  }
} finally {
  await servers.remove();
}
for (const fault of broken.slice(0, 50)) console.error(`  ✗ ${fault}`);
console.log(
  broken.length === 0
    ? 'All promises held.'
    : `${broken.length} promises were broken (seed ${seed}).`,
);
process.exit(broken.length === 0 ? 0 : 1);
