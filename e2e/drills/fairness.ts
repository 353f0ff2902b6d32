import { migrateDatabase, readSchema } from '@site/platform/database/migrate';
import { OUTAGE_STREAK, readSyncHealth } from '@site/platform/health/sync-health';
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
const SPACING_SECONDS = 0.41;

const numbered = (times: number, address: (n: number) => string) =>
  Array.from({ length: times }, (_, n) => address(n));

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
    name: 'seventy bad emails before each good lead',
    allowed: 180,
    async run(drill) {
      const bad = numbered(70, (n) => `bad${n}+422@reader.example`);
      await Promise.all([drill.startApi(), drill.startWorker(REAL_RATE)]);
      await submitAll(drill, [...bad, undefined]);
      // Each acceptance ends the pause, and then twenty more are refused.
      while ((await drill.count(`beehiiv_status = 'pending'`)) > 0) {
        await drill.ledger.submit();
        await sleep(2_000);
      }
      const { longestWaitSeconds } = await readFigures(drill);
      const most = bad.length * SPACING_SECONDS + 60;
      const faults =
        longestWaitSeconds > most ? [`a good lead waited ${longestWaitSeconds.toFixed(0)} s`] : [];
      return { failed: bad, faults };
    },
  },
  {
    name: 'eight leads for which Beehiiv always fails',
    allowed: 0,
    async run(drill) {
      const failed = numbered(8, (n) => `always${n}+500@reader.example`);
      // A round lasts 72 s.
      await Promise.all([drill.startApi(), drill.startWorker({ BEEHIIV_BACKOFF_BASE_MS: '25' })]);
      const visits = drill.ledger.visit(4);
      await submitAll(drill, failed);
      await within(5 * MINUTE_MS, 'all eight have failed', async () => {
        return (await drill.count(`beehiiv_status = 'failed'`)) === failed.length;
      });
      await visits.end();
      await drill.settle();
      const { longestWaitSeconds } = await readFigures(drill);
      return {
        failed,
        faults:
          longestWaitSeconds > 10 ? [`a good lead waited ${longestWaitSeconds.toFixed(0)} s`] : [],
      };
    },
  },
  {
    name: 'one lead that is refused the key',
    allowed: 0,
    async run(drill) {
      await Promise.all([drill.startApi(), drill.startWorker()]);
      await within(
        10_000,
        'the worker has asked for the fields',
        () => drill.requests('GET').length > 0,
      );
      drill.beehiiv('status', { status: 401, times: 1 });
      await submitAll(drill, Array.from({ length: 40 }));
      await drill.settle();
      const { longestWaitSeconds } = await readFigures(drill);
      return {
        faults: longestWaitSeconds > 5 ? [`a lead waited ${longestWaitSeconds.toFixed(0)} s`] : [],
      };
    },
  },
  {
    name: 'a worker killed during each of three pauses',
    allowed: 0,
    async run(drill) {
      const faults: string[] = [];
      const [, , ...workers] = await Promise.all([
        drill.startApi(),
        drill.startWorker(),
        drill.startWorker(),
        drill.startWorker(),
      ]);
      await within(
        10_000,
        'the workers have asked for the fields',
        () => drill.requests('GET').length > 2,
      );
      const isPaused = async () => (await readSyncHealth(drill.db)).pausedSince !== null;
      for (const [seconds, worker] of [
        [2, workers[0]],
        [12, workers[1]],
        [15, workers[0]],
      ] as const) {
        drill.beehiiv('status', { status: 401 });
        await submitAll(drill, Array.from({ length: 10 }));
        await within(10_000, 'the sync is paused', isPaused);
        drill.light.shouldBe('not ok');
        await sleep(seconds * 1_000);
        await worker?.kill();
        drill.light.shouldBe('either');
        drill.beehiiv('ok');
        const since = Date.now();
        await within(MINUTE_MS, 'the pause has ended', async () => !(await isPaused()));
        const tookSeconds = (Date.now() - since) / 1_000;
        if (tookSeconds > 20)
          faults.push(`the pause ended ${tookSeconds.toFixed(0)} s after its fault`);
        await drill.settle(MINUTE_MS);
        await worker?.start();
      }
      return { faults };
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
    name: 'the order after an outage that leaves 200 leads',
    allowed: 180,
    async run(drill) {
      const faults: string[] = [];
      await Promise.all([drill.startApi(), drill.startWorker(REAL_RATE)]);
      drill.beehiiv('status', { status: 500 });
      const left = numbered(200, (n) => `left${n}@reader.example`);
      await submitAll(drill, left);
      const isOutage = async () => (await readSyncHealth(drill.db)).failureStreak >= OUTAGE_STREAK;
      await within(MINUTE_MS, 'an outage has begun', isOutage);
      drill.light.shouldBe('not ok');
      // Each lead is tried once, at the real rate.
      await within(3 * MINUTE_MS, 'all wait for its end', () =>
        drill.count(`urgency = 'new'`).then((n) => n === 0),
      );
      drill.light.shouldBe('either');
      drill.beehiiv('ok');
      await within(MINUTE_MS, 'the outage is over', async () => !(await isOutage()));
      const fresh = 'fresh@reader.example';
      await drill.ledger.submit({ email: fresh });
      await drill.settle(4 * MINUTE_MS);
      const freshWait = await waitOf(drill, fresh);
      if (freshWait > 5)
        faults.push(
          `a fresh lead waited ${freshWait.toFixed(1)} s behind those that the outage left`,
        );
      return { faults };
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

/** Returns the seconds from a lead's submission to its acceptance. */
async function waitOf({ db }: Drill, email: string): Promise<number> {
  const { rows } = await db.raw(
    'select extract(epoch from beehiiv_sent_at - submitted_at)::float8 as seconds from leads where email = ?',
    [email],
  );
  return rows[0].seconds;
}

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
