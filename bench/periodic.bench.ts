import type { Database } from '@site/platform/database/connect';
import { findAlerts } from '@site/platform/alerts/alerts';
import { findFreePort } from '@site/local-infra/free-port';
import { countDueLeads } from '@site/platform/outbox/pending';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Infra } from './filled-api.ts';
import { measure } from './measure.ts';
import { startNewsletter } from './newsletter.ts';
import { isKept, judge, say } from './report.ts';
import type { Promised, Report } from './report.ts';
import type { RunningApi } from './running-api.ts';
import { startWorker } from './running-worker.ts';

const LOOK_MS = 100;
const NIGHT = 86_400;
const MAX_STATEMENT = 10;
const MAX_WAIT_SECONDS = 20 * 60;

type Line = { name: string; seconds: number; promised: Promised };

/**
 * Times the periodic tasks, each against its own interval, and finds the longest statement of each process. The
 * comparison begins with the last page of the newsletter's list: reading the pages takes as long as the newsletter allows.
 */
export async function benchPeriodic(
  infra: Infra,
  api: RunningApi,
  db: Database,
  leads: number,
): Promise<Report> {
  const longest = new Map<string, { seconds: number; statement: string }>();
  const isOver = new AbortController();
  const watching = watchStatements(db, longest, isOver.signal);
  const lines: Line[] = [];
  const add = (name: string, seconds: number, atMost: number) =>
    lines.push({ name, seconds, promised: { atMost } });

  const { seconds, rows } = await download(api);
  console.log(`  ${rows} rows of payments.csv in ${say(seconds)} s`);
  add(`payments.csv of ${rows.toLocaleString('en-GB')} rows, downloaded`, seconds, 15 * 60);
  add('looking for due leads', (await measure(() => countDueLeads(db, 1_000), 20)).p95 / 1_000, 5);
  add(
    'looking for what an alert reports',
    (await measure(() => findAlerts(db, 900_000), 20)).p95 / 1_000,
    15,
  );

  await db.raw(`
    insert into listed_subscribers select email_normalised, subscriber_id, status, wanted
      from subscribers left join subscriber_tiers using (email_normalised) where abs(hashtext(email_normalised)) % 10000 > 0;
    update comparison set leased_by = gen_random_uuid(), leased_until = now(), started_at = now(), cursor = 'the last page', subscribers_read = 1;
    delete from money_nights; update stripe_watch set since = now() - interval '2 years'`);
  await db.raw('analyze listed_subscribers');
  const newsletter = await startNewsletter();
  const stop = await startWorker(infra, newsletter.url, await findFreePort());
  try {
    const until = (table: string, condition: string) =>
      waitFor(db, `exists (select from ${table} where ${condition})`);
    add(
      'comparison of every sent lead with the list',
      await until('comparison', 'compared_at is not null'),
      NIGHT,
    );
    add(
      'deletion of the list',
      await waitFor(db, 'not exists (select from listed_subscribers)'),
      NIGHT,
    );
    add(
      'how each of 24 months ended',
      await until('money_nights', `day >= current_date - 1`),
      NIGHT,
    );
  } finally {
    await stop();
    newsletter.close();
    isOver.abort();
    await watching;
  }
  for (const [process, { seconds: taken, statement }] of longest) {
    console.log(`  longest statement of ${process}: ${say(taken)} s, ${statement}`);
    add(`longest statement of ${process}`, taken, MAX_STATEMENT);
  }
  return {
    name: 'periodic-ten-million',
    title: `Periodic tasks, ${leads.toLocaleString('en-GB')} leads`,
    heads: ['', 'seconds', 'promise', ''],
    lines: lines.map(({ name, seconds: taken, promised }) => [
      name,
      say(taken),
      ...judge(taken, promised),
    ]),
    isGood: lines.every(({ seconds: taken, promised }) => isKept(taken, promised)),
  };
}

async function waitFor(db: Database, condition: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await db.raw<{ rows: { isSo: boolean }[] }>(`select ${condition} as is_so`);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (rows[0]?.isSo) return seconds;
    if (seconds > MAX_WAIT_SECONDS) return Infinity;
    await sleep(LOOK_MS);
  }
}

/** Notes the longest running statement of API and worker. A COPY runs for as long as its download. */
async function watchStatements(
  db: Database,
  longest: Map<string, { seconds: number; statement: string }>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await db.raw<{
      rows: { process: string; seconds: number; statement: string }[];
    }>(
      `select application_name as process, extract(epoch from clock_timestamp() - query_start)::float as seconds,
         left(regexp_replace(query, '\\s+', ' ', 'g'), 120) as statement
       from pg_stat_activity where datname = current_database() and state = 'active' and application_name in ('api', 'worker')`,
    );
    for (const { process, ...each } of rows) {
      if (each.seconds > (longest.get(process)?.seconds ?? 0)) longest.set(process, each);
    }
    await sleep(LOOK_MS);
  }
}

async function download(api: RunningApi): Promise<{ rows: number; seconds: number }> {
  const startedAt = performance.now();
  let rows = -1;
  for await (const chunk of await api.open('/api/admin/money/payments.csv')) {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
  }
  return { rows, seconds: (performance.now() - startedAt) / 1_000 };
}
