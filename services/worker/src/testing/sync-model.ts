import { advanceSyncClock, storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { LeadRow } from '@site/platform/database/tables';
import { createLogger } from '@site/platform/logger';
import { retryLeads } from '@site/platform/outbox/retry';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import { parseSyncJob } from '@site/platform/outbox/sync-queue';
import type { Queue } from 'bullmq';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { processLead } from '../sync/sync.processor.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { makeDueNow, sweepOnce } from '../sync/sweep.ts';
import { createScriptedNewsletter, Crash, SCRIPTS } from './scripted-newsletter.ts';
import type { Script } from './scripted-newsletter.ts';

/*
 * The sync as a model: events that may happen in any order, and invariants that must hold. Postgres, queue, processor and
 * sweep are real; the newsletter and the time are scripted.
 */

export type Step =
  | { do: 'intake'; person: number; isQueued: boolean }
  | { do: 'run'; lead: number; script: Script[] }
  | { do: 'two runs at once'; leads: [number, number]; script: Script[] }
  | { do: 'sweep'; script: Script[] }
  | { do: 'redis loses its data' }
  | { do: 'operator retries'; lead: number }
  | { do: 'time passes'; seconds: number };

const script = fc.array(fc.constantFrom(...SCRIPTS), { maxLength: 3 });
const lead = fc.nat(30);

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('intake' as const), person: fc.nat(3), isQueued: fc.boolean() }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('run' as const), lead, script }) },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('two runs at once' as const), leads: fc.tuple(lead, lead), script }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('sweep' as const), script }) },
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
const never = new AbortController().signal;

/** Plays the steps on an empty system and checks the invariants after each. Then lets all requests succeed, and checks that every lead is settled. */
export async function playAndCheck({ db, queue, syncQueue }: World, toPlay: Step[]): Promise<void> {
  await reset(db, queue);
  const newsletter = createScriptedNewsletter((email) => expectOnRecord(db, email));
  const deps: SyncDeps = {
    db,
    rateLimiter: createRateLimiter(db, 0),
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
  let elapsedSeconds = 0;

  const run = async (leadId: string | undefined) => {
    if (leadId === undefined) return;
    await processLead(deps, leadId, never).catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
  };
  const drain = async () => {
    for (const job of await queue.getWaiting()) {
      await run(parseSyncJob(job.data).leadId);
      await job.remove();
    }
  };
  const pick = (n: number) => leads[n % Math.max(1, leads.length)];
  const pass = async (seconds: number) => {
    elapsedSeconds += seconds;
    await advanceSyncClock(db, elapsedSeconds);
  };

  const play = async (step: Step): Promise<void> => {
    switch (step.do) {
      case 'intake': {
        const { id } = await storeLead(db, {
          email: `person${step.person}@reader.example`,
          nextAttemptAt: new Date(0),
        });
        leads.push(id);
        if (step.isQueued) await syncQueue.wake([id]);
        return;
      }
      case 'run':
        newsletter.play(step.script);
        return run(pick(step.lead));
      case 'two runs at once':
        newsletter.play(step.script);
        await Promise.all(step.leads.map((n) => run(pick(n))));
        return;
      case 'sweep':
        newsletter.play(step.script);
        await makeDueNow({ db });
        await sweepOnce({ db, syncQueue, log: silent });
        return drain();
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
  for (let turn = 0; turn < 40 && (await countPending(db)) > 0; turn++) {
    await pass(25_000);
    await sweepOnce({ db, syncQueue, log: silent });
    await drain();
    await checkInvariants({ db, leads, everSent, newsletter });
  }
  expectTrue((await countPending(db)) === 0, 'every lead is settled once the newsletter works');
  expectTrue((await db('lead_sync_attempts').whereNull('class').first()) === undefined, 'no attempt is left open');
}

/** Every request to the newsletter has an open attempt: that of the one run that has claimed a lead of the person. */
async function expectOnRecord(db: Database, email: string): Promise<void> {
  const open = await db('lead_sync_attempts')
    .join('leads', 'leads.claim', 'lead_sync_attempts.id')
    .where({ emailNormalised: email })
    .whereRaw('claimed_until > sync_now()')
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
  const rows = await db<LeadRow>('leads').select('id', 'beehiivStatus', 'emailNormalised', 'claim');
  expectTrue(rows.length === leads.length, 'no lead is lost');
  const sentNow = new Set(rows.filter((row) => row.beehiivStatus === 'sent').map((row) => row.id));
  for (const id of everSent) expectTrue(sentNow.has(id), 'sent never leaves sent');
  for (const id of sentNow) everSent.add(id);
  for (const row of rows) {
    if (row.beehiivStatus === 'sent')
      expectTrue(newsletter.subscribers.has(row.emailNormalised), 'a sent lead has a subscriber');
  }
  expectTrue(newsletter.seen.repeatedAdds === 0, 'nobody is added twice');
  const claims = await queryOne<{ n: number }>(
    db,
    `select count(*)::int as n from leads where claim is not null
     and not exists (select from lead_sync_attempts attempt where attempt.id = leads.claim)`,
  );
  expectTrue(claims.n === 0, 'a claim has an attempt');
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
