import { advanceSyncClock, storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { createLogger } from '@site/platform/logger';
import { IS_CLAIMED } from '@site/platform/outbox/address-lease';
import { retryLeads } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { Choice } from '@site/platform/outbox/claim';
import type { Queue } from 'bullmq';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { slotSpacingMs } from '../newsletter/slots.repository.ts';
import { probe } from '../sync/probe.ts';
import { processLead } from '../sync/sync.processor.ts';
import type { RunResult, SyncDeps } from '../sync/sync.processor.ts';
import { sweepOnce } from '../sync/sweep.ts';
import { createScriptedNewsletter, Crash, SCRIPTS } from './scripted-newsletter.ts';
import type { Script } from './scripted-newsletter.ts';

/*
 * The sync as a model: events that may happen in any order, and invariants that must hold. Postgres, queue, rate limiter,
 * processor, sweep and probe are real; the newsletter and the time are scripted.
 */

/** The people who submit. The newsletter fails for the last two whatever they send. */
const PEOPLE = 6;
const FAILING = [4, 5];
const addressOf = (person: number) => `person${person}@reader.example`;

export type Step =
  | { do: 'intake'; person: number; isQueued: boolean }
  | { do: 'run'; choice: Choice; script: Script[] }
  | { do: 'two runs at once'; choices: [Choice, Choice]; script: Script[] }
  | { do: 'run while the worker stops' }
  | { do: 'sweep'; script: Script[] }
  | { do: 'the key is'; isRefused: boolean }
  | { do: 'redis loses its data' }
  | { do: 'operator retries'; lead: number }
  | { do: 'time passes'; seconds: number };

const script = fc.array(fc.constantFrom(...SCRIPTS), { maxLength: 3 });
const lead = fc.nat(30);
const choice = fc.constantFrom<Choice>('urgent', 'urgent', 'retry');

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('intake' as const), person: fc.nat(PEOPLE - 1), isQueued: fc.boolean() }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('run' as const), choice, script }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('two runs at once' as const), choices: fc.tuple(choice, choice), script }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('run while the worker stops' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('sweep' as const), script }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('the key is' as const), isRefused: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('redis loses its data' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('operator retries' as const), lead }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('time passes' as const),
        seconds: fc.constantFrom(1, 16, 46, 600, 25_000, 90_000),
      }),
    },
  ),
  { minLength: 4, maxLength: 30 },
);

type World = { db: Database; queue: Queue; syncQueue: SyncQueue };

const silent = createLogger({ service: 'model', level: 'silent' });
const PER_MINUTE = 150;

/** Plays the steps on an empty system and checks the invariants after each. Then lets all requests succeed, and checks that every lead is settled. */
export async function playAndCheck({ db, queue, syncQueue }: World, toPlay: Step[]): Promise<void> {
  await reset(db, queue);
  const newsletter = createScriptedNewsletter((email) => expectOnRecord(db, email));
  for (const person of FAILING) newsletter.failAlways(addressOf(person));
  let elapsedSeconds = 0;
  let stopping = new AbortController();
  let isStopping = false;
  const pass = async (seconds: number) => {
    elapsedSeconds += seconds;
    await advanceSyncClock(db, elapsedSeconds);
  };
  const deps: SyncDeps = {
    db,
    rateLimiter: createRateLimiter(db, PER_MINUTE, async (ms, signal) => {
      if (isStopping) stopping.abort();
      signal.throwIfAborted();
      await pass(Math.ceil(ms / 1_000));
    }),
    newsletter: newsletter.port,
    fieldCatalog: { keepKnown: (fields) => fields },
    delivery: { sendWelcomeEmail: true, doubleOptIn: 'not_set', automations: { pre_buy: [], pre_sample: [] } },
    backoffBaseMs: 30_000,
    random: () => 0.5,
    newId: randomUUID,
    worker: 'model',
    log: silent,
  };
  const leads: string[] = [];
  const everSent = new Set<string>();

  const run = async (choice: Choice): Promise<RunResult | null> => {
    try {
      return await processLead(deps, choice, stopping.signal);
    } catch (error) {
      if (!(error instanceof Crash) && !stopping.signal.aborted) throw error;
      return null;
    }
  };
  const drain = async () => {
    for (const [n, job] of (await queue.getWaiting()).entries()) {
      await run(n % 4 === 3 ? 'retry' : 'urgent');
      await job.remove();
    }
  };
  const sweep = async () => {
    await probe({ ...deps, runProbe: () => run('probe') }, stopping.signal);
    await sweepOnce({ db, syncQueue });
    await drain();
  };
  const pick = (n: number) => leads[n % Math.max(1, leads.length)];
  const intake = async (email: string, isQueued: boolean) => {
    const { id } = await storeLead(db, { email, nextAttemptAt: new Date(0) });
    leads.push(id);
    if (isQueued) await syncQueue.wake(1);
  };

  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'intake':
        return intake(addressOf(step.person), step.isQueued);
      case 'run':
        newsletter.play(step.script);
        await run(step.choice);
        return;
      case 'two runs at once':
        newsletter.play(step.script);
        await Promise.all(step.choices.map(run));
        return;
      case 'run while the worker stops':
        isStopping = true;
        await run('urgent');
        isStopping = false;
        stopping = new AbortController();
        return;
      case 'sweep':
        newsletter.play(step.script);
        return sweep();
      case 'the key is':
        return newsletter.refuseKey(step.isRefused);
      case 'redis loses its data':
        return queue.obliterate({ force: true });
      case 'operator retries': {
        const id = pick(step.lead);
        if (id !== undefined) await retryLeads(db, [id]);
        return;
      }
      case 'time passes':
        return pass(step.seconds);
    }
  };

  for (const step of toPlay) {
    await play(step);
    await checkInvariants({ db, leads, everSent, newsletter });
  }

  newsletter.play([]);
  newsletter.refuseKey(false);
  for (let turn = 0; turn < 40 && (await countPending(db)) > 0; turn++) {
    await pass(25_000);
    // Somebody who is accepted shows that those who fail do so alone.
    await intake(`turn${turn}@reader.example`, true);
    await sweep();
    await sweep();
    await checkInvariants({ db, leads, everSent, newsletter });
    if (turn >= 2) {
      const waiting = await db<LeadRow>('leads').where({ beehiivStatus: 'pending' }).select('emailNormalised');
      const doFail = waiting.every((lead) => FAILING.map(addressOf).includes(lead.emailNormalised));
      expectTrue(doFail, 'nobody waits behind those who always fail');
    }
  }
  expectTrue((await countPending(db)) === 0, 'every lead is settled once the newsletter works');
  const failing = await db<LeadRow>('leads')
    .whereIn('emailNormalised', FAILING.map(addressOf))
    .whereNot({ beehiivStatus: 'failed' });
  expectTrue(failing.length === 0, 'a lead that always fails ends as failed');
  expectTrue((await db('lead_sync_attempts').whereNull('class').first()) === undefined, 'no attempt is left open');
}

/** Every request to the newsletter has an open attempt: that of the one run that has claimed a lead of the person. */
async function expectOnRecord(db: Database, email: string): Promise<void> {
  const open = await db('lead_sync_attempts')
    .join('leads', 'leads.id', 'lead_sync_attempts.lead_id')
    .where({ emailNormalised: email })
    .whereRaw(IS_CLAIMED)
    .whereNull('class');
  expectTrue(open.length === 1, 'each request has an open attempt of the one run of its person');
}

async function checkInvariants(world: {
  db: Database;
  leads: string[];
  everSent: Set<string>;
  newsletter: ReturnType<typeof createScriptedNewsletter>;
}): Promise<void> {
  const { db, leads, everSent, newsletter } = world;
  const rows = await db<LeadRow>('leads').select('id', 'beehiivStatus', 'emailNormalised');
  expectTrue(rows.length === leads.length, 'no lead is lost');
  const sentNow = new Set(rows.filter((row) => row.beehiivStatus === 'sent').map((row) => row.id));
  for (const id of everSent) expectTrue(sentNow.has(id), 'sent never leaves sent');
  for (const id of sentNow) everSent.add(id);
  for (const row of rows) {
    if (row.beehiivStatus === 'sent')
      expectTrue(newsletter.subscribers.has(row.emailNormalised), 'a sent lead has a subscriber');
  }
  expectTrue(newsletter.seen.repeatedAdds === 0, 'nobody is added twice');
  const limiter = await queryOne<{ booked: number }>(
    db,
    'select extract(epoch from greatest(next_slot_at, sync_now()) - sync_now())::float8 * 1000 as booked from rate_limiter',
  );
  expectTrue(limiter.booked <= slotSpacingMs(PER_MINUTE), 'no slot is booked ahead, whatever stops or crashes');
  const counted = await db('lead_counts').sum<{ sum: string | null }[]>('leads');
  expectTrue(Number(counted[0]?.sum ?? 0) === leads.length, 'the counters agree');
}

function expectTrue(holds: boolean, invariant: string): void {
  if (!holds) throw new Error(`broken: ${invariant}`);
}

async function countPending(db: Database): Promise<number> {
  return (await db('leads').where({ beehiivStatus: 'pending' })).length;
}

async function reset(db: Database, queue: Queue): Promise<void> {
  await queue.obliterate({ force: true });
  await query(db, 'truncate leads, address_leases cascade');
  await query(
    db,
    'delete from sync_health; insert into sync_health default values; delete from rate_limiter; insert into rate_limiter default values',
  );
  await advanceSyncClock(db, 0);
}
