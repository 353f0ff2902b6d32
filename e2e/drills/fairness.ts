import { migrateDatabase, readSchema } from '@site/platform/database/migrate';
import { setTimeout as sleep } from 'node:timers/promises';
import { HAS_OPEN_ATTEMPT } from './drill.ts';
import type { Drill } from './drill.ts';
import { newSubmission } from './ledger.ts';
import { within } from './within.ts';

/*
 * The effects of one record, one outage or one deployment on everybody else. Each case runs on the
 * whole product, at the real rate where the rate matters.
 */

export type Case = {
  name: string;
  /** Requests a minute that the sandbox allows; 0 for no limit. */
  allowed: number;
  run: (drill: Drill) => Promise<{ failed?: string[]; faults: string[] }>;
};

export type Figures = {
  accepted: number;
  sent: number;
  failed: number;
  busiestMinute: number;
  longestWaitSeconds: number;
};

const MINUTE_MS = 60_000;
const REAL_RATE = { BEEHIIV_REQUESTS_PER_MINUTE: '150' };

async function submitAll(drill: Drill, emails: (string | undefined)[]): Promise<void> {
  for (let from = 0; from < emails.length; from += 20) {
    await Promise.all(
      emails
        .slice(from, from + 20)
        .map((email) => drill.ledger.submit(email === undefined ? {} : { email })),
    );
  }
}

export const CASES: Case[] = [
  {
    name: 'three workers restart one by one while 1,000 leads wait',
    allowed: 180,
    async run(drill) {
      await drill.startApi();
      await submitAll(drill, Array.from({ length: 1_000 }));
      const workers = await Promise.all([1, 2, 3].map(() => drill.startWorker(REAL_RATE)));
      // A thousand leads at once are a flood, which the light reports for five minutes.
      await within(10_000, 'the flood is noticed', () => drill.light.says() === 'degraded');
      for (const worker of workers) {
        await sleep(MINUTE_MS);
        await worker.stop();
        await worker.start();
      }
      await drill.settle(8 * MINUTE_MS);
      const times = drill.requests().map(({ at }) => Date.parse(at));
      const first = Math.min(...times);
      const minutes = Array.from(
        { length: Math.floor((Math.max(...times) - first) / MINUTE_MS) },
        (_, minute) => times.filter((at) => Math.floor((at - first) / MINUTE_MS) === minute).length,
      );
      return {
        faults: minutes
          .filter((used) => used < 135)
          .map((used) => `only ${used} requests in one minute`),
      };
    },
  },
  {
    name: 'a worker frozen for two minutes while it records an outcome',
    allowed: 0,
    async run(drill) {
      await drill.startApi();
      const frozen = await drill.startWorker();
      await within(10_000, 'it has asked for the fields', () => drill.requests('GET').length > 0);
      drill.beehiiv('slow', { delayMs: 1_000, times: 1 });
      const { email } = newSubmission();
      await drill.ledger.submit({ email });
      await within(
        10_000,
        'the request is there',
        async () => (await drill.count(HAS_OPEN_ATTEMPT)) === 1,
      );
      const releases = [
        await drill.lock('select from leads for update'),
        await drill.lock('lock table bulk_retries in access exclusive mode'),
      ];
      const isBusy = async () => (await drill.countLocked('worker')) === 2;
      await within(
        10_000,
        'the outcome is to be recorded, and a step of the bulk retries is under way',
        isBusy,
      );
      await drill.startWorker();
      const thaw = frozen.freeze();
      await Promise.all(releases.map((release) => release()));
      await within(
        4_000,
        'its transaction is idle',
        async () => (await countIdleInTransaction(drill)) === 1,
      );
      await within(
        10_000,
        'Postgres has ended it',
        async () => (await countIdleInTransaction(drill)) === 0,
      );
      drill.light.shouldBe('ok');
      const visits = drill.ledger.visit(2);
      await sleep(2 * MINUTE_MS);
      thaw();
      await visits.end();
      await drill.settle();
      const { longestWaitSeconds } = await readFigures(drill, [email]);
      return {
        faults: longestWaitSeconds > 10 ? [`a lead waited ${longestWaitSeconds.toFixed(0)} s`] : [],
      };
    },
  },
  {
    name: 'a column arrives under load while an export reads',
    allowed: 0,
    async run(drill) {
      await Promise.all([drill.startApi(), drill.startWorker()]);
      const visits = drill.ledger.visit(20);
      await within(
        10_000,
        'leads are sent',
        async () => (await drill.count(`beehiiv_status = 'sent'`)) > 20,
      );
      await within(10_000, 'the light is on', () => drill.light.says() === 'ok');
      drill.light.shouldBe('ok');
      const stopReading = await drill.lock('select id from leads limit 1');
      let blocked = 0;
      const schema = readSchema();
      schema.migrations['9999_mood'] = `alter table leads add mood text,
        add constraint leads_mood_check check (mood = 'calm') not valid;`;
      const migrated = migrateDatabase(drill.db, { schema, onBlocked: () => (blocked += 1) });
      await within(MINUTE_MS, 'the migration has tried five times', () => blocked >= 5);
      await stopReading();
      await migrated;
      await sleep(5_000);
      await visits.end();
      await drill.settle();
      const faults = drill.ledger.refused.map(
        ({ status }) => `a visitor was refused with ${status}`,
      );
      if (drill.ledger.slowestMs > 3_000)
        faults.push(`an answer took ${drill.ledger.slowestMs.toFixed(0)} ms`);
      const { longestWaitSeconds } = await readFigures(drill);
      return {
        faults:
          longestWaitSeconds > 10
            ? [...faults, `a lead waited ${longestWaitSeconds.toFixed(0)} s`]
            : faults,
      };
    },
  },
];

/**
 * Counts the workers' transactions that are idle between two statements, and so keep their locks.
 */
async function countIdleInTransaction({ db }: Drill): Promise<number> {
  const { rows } = await db.raw(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = 'worker' and state like 'idle in transaction%'`,
  );
  return rows[0].n;
}

/** Reads the results of a case's leads. `besides` are emails whose wait does not count. */
export async function readFigures(
  { db, ledger, requests }: Drill,
  besides: string[] = [],
): Promise<Figures> {
  const { rows } = await db.raw(
    `select count(*) filter (where beehiiv_status = 'sent')::int as sent,
       count(*) filter (where beehiiv_status = 'failed')::int as failed,
       coalesce(max(extract(epoch from beehiiv_sent_at - submitted_at)) filter (where email <> all(?)), 0)::float8 as longest
     from leads`,
    [besides],
  );
  const times = requests().map(({ at }) => Date.parse(at));
  return {
    accepted: new Set(ledger.accepted.map(({ leadId }) => leadId)).size,
    sent: rows[0].sent,
    failed: rows[0].failed,
    busiestMinute: Math.max(
      0,
      ...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length),
    ),
    longestWaitSeconds: rows[0].longest,
  };
}
