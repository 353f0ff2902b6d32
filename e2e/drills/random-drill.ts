import { setTimeout as sleep } from 'node:timers/promises';

import { createChance } from './chance.ts';
import type { Drill } from './drill.ts';
import { FAULTS } from './faults.ts';
import type { World } from './faults.ts';

const VISITORS_PER_SECOND = 10;
/** The pause between two faults of one part, in seconds. */
const CALM = [3, 15] as const;
const REPORT_EVERY_MS = 5_000;
/**
 * Covers a killed run's lease, the longest backoff the faults can cause, and the probes of a pause.
 */
const SETTLE_MS = 300_000;
/**
 * A round lasts 48 minutes, so that no fault makes a lead fail permanently before the drill ends.
 */
const WORKER = { BEEHIIV_BACKOFF_BASE_MS: '1000', BEEHIIV_REQUESTS_PER_MINUTE: '3000' };

export type RandomDrill = {
  seed: number;
  minutes: number;
  signal: AbortSignal;
  say: (line: string) => void;
};

/**
 * Sends visitors while every part fails at random, then ends the faults and audits the ledger.
 * Returns the broken promises.
 */
export async function runRandomDrill(
  drill: Drill,
  { seed, minutes, signal, say }: RandomDrill,
): Promise<string[]> {
  const [apis, workers] = await Promise.all([
    Promise.all([drill.startApi(), drill.startApi()]),
    Promise.all([drill.startWorker(WORKER), drill.startWorker(WORKER)]),
  ]);
  const time = new AbortController();
  const isUp = () => time.abort();
  signal.addEventListener('abort', isUp, { once: true });
  const timer = setTimeout(isUp, minutes * 60_000);
  const visits = drill.ledger.visit(VISITORS_PER_SECOND);
  const active = new Set<string>();
  const reporting = setInterval(() => void report(drill, active, say), REPORT_EVERY_MS);
  try {
    await Promise.all(
      Object.keys(FAULTS).map((part) =>
        failByChance({ drill, apis, workers }, part, { seed, time: time.signal, active, say }),
      ),
    );
    say('All faults have ended. Waiting until no lead is pending.');
    await visits.end();
    await drill.settle(SETTLE_MS).catch((error: unknown) => say(String(error)));
  } finally {
    clearInterval(reporting);
    clearTimeout(timer);
  }
  await report(drill, active, say);
  return drill.audit();
}

async function failByChance(
  world: World,
  part: string,
  {
    seed,
    time,
    active,
    say,
  }: { seed: number; time: AbortSignal; active: Set<string>; say: (line: string) => void },
): Promise<void> {
  const chance = createChance(seed, part);
  const pass = (seconds: number) =>
    sleep(seconds * 1_000, undefined, { signal: time }).catch(() => undefined);
  while (!time.aborted) {
    await pass(chance.whole(...CALM));
    if (time.aborted) return;
    const fault = chance.oneOf(FAULTS[part] ?? []);
    const seconds = chance.whole(...fault.lasts);
    say(`  ✗ ${fault.name}, ${seconds} s`);
    active.add(fault.name);
    const end = await fault.strike(world, chance);
    await pass(seconds);
    await end();
    active.delete(fault.name);
  }
}

async function report(
  { db, ledger, requests }: Drill,
  active: Set<string>,
  say: (line: string) => void,
): Promise<void> {
  requests();
  const { accepted, refused, unanswered } = ledger;
  const seen = `accepted ${accepted.length}, refused ${refused.length}, unanswered ${unanswered}`;
  try {
    const { rows } = await db.raw(
      'select beehiiv_status as status, count(*)::int as n from leads group by 1 order by 1',
    );
    const stored = rows
      .map(({ status, n }: { status: string; n: number }) => `${status} ${n}`)
      .join(', ');
    say(`${seen} · ${stored}${active.size > 0 ? ` · now: ${[...active].join(', ')}` : ''}`);
  } catch {
    say(`${seen} · Postgres is down · now: ${[...active].join(', ')}`);
  }
}
