import { createTestDatabase, dropTestDatabase } from '@site/testing/database';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { startApi } from './processes.ts';
import type { Infra, RunningApi } from './processes.ts';

/** Leads per statement. Triggers hold a statement's changes in memory. */
const BATCH = 100_000;

/** Runs `work` on a migrated database of its own, then removes it. */
export async function onDatabase<T>(
  infra: Infra,
  name: string,
  work: (own: Infra, db: Database) => Promise<T>,
): Promise<T> {
  const unique = `bench_${name}_${process.pid}`;
  const databaseUrl = await createTestDatabase(infra.databaseUrl, unique);
  const db = createDatabase({ url: databaseUrl, maxConnections: 3, statementTimeoutMs: 3_600_000 });
  try {
    await migrateDatabase(db);
    return await work({ ...infra, databaseUrl }, db);
  } finally {
    await db.destroy();
    await dropTestDatabase(infra.databaseUrl, unique);
  }
}

/** Runs `work` with an API on its own database with this many leads. */
export function onFilledApi<T>(
  infra: Infra,
  total: number,
  work: (api: RunningApi, db: Database, databaseUrl: string) => Promise<T>,
): Promise<T> {
  return onDatabase(infra, String(total), async (own, db) => {
    const startedAt = performance.now();
    await fillLeads(db, total);
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`${total.toLocaleString('en-GB')} leads written in ${seconds.toFixed(0)} s`);
    const api = await startApi(own);
    try {
      return await work(api, db, own.databaseUrl);
    } finally {
      await api.close();
    }
  });
}

/**
 * Inserts leads of the last year directly, as an import would: one in a hundred failed, one in five
 * hundred pending, the rest sent. Emails do not repeat. Companies do, and so do 16,000 names.
 */
async function fillLeads(db: Database, total: number): Promise<void> {
  const rebuildIndexes = await dropIndexes(db);
  for (let from = 1; from <= total; from += BATCH) {
    await db.raw(
      `insert into leads (id, email, form_type, full_name, company, phone, submitted_at, consent_marketing,
         consent_timestamp, consent_text_version, utm_source, utm_campaign, country, city, beehiiv_status,
         beehiiv_response, beehiiv_sent_at, subscriber_status, next_attempt_at)
       select gen_random_uuid(), lower(first_name || '.' || last_name) || n || '@' || company_name || n % 5000 || '.example',
         case when n % 3 = 0 then 'pre_sample' else 'pre_buy' end,
         first_name || ' ' || last_name, initcap(company_name) || ' ' || n % 5000, '+44 20 7946 0000',
         now() - make_interval(secs => n * (365.0 * 86400 / :total)), true, now(), '2025-12',
         (array['nav_sub', 'top_sub', 'bottom_sub', 'sample_site'])[1 + n % 4], 'campaign_' || n % 20, 'GB', 'Leeds',
         status, case when status = 'failed' then '422 no' else '201 ok' end,
         case when status = 'sent' then now() end, case when status = 'sent' then 'active' end,
         case when status = 'pending' then now() + interval '1 day' end
       from generate_series(:from::int, :to::int) n,
         lateral (select case when n % 100 = 0 then 'failed' when n % 500 = 1 then 'pending' else 'sent' end as status,
           (array['Amelia','Priya','Oliver','Tom','Siobhan','Marcus','Chidi','Hannah','Jean','Isla','Kenji','Marta'])[1 + n % 12] as first_name,
           (array['Thorn','Ram','Had','Ald','Web','Eze','Whit','Mor','Drum','Wat','Oka'])[1 + n % 11]
             || (array['er','an','o','ar','in','el','a','ing','il','on','ay'])[1 + n / 11 % 11]
             || (array['ton','low','ridge','ley','sen','worth','field','ham','by','ford','wick'])[1 + n / 121 % 11] as last_name,
           (array['northgate','savannah','liffey','webb','haddow','drummond','kestrel'])[1 + n % 7] as company_name) words`,
      { from, to: Math.min(total, from + BATCH - 1), total },
    );
  }
  await rebuildIndexes();
  await db.raw('vacuum analyze');
  // Filling leaves writes behind, which must not be measured.
  await db.raw('checkpoint');
}

/**
 * Drops the table's indexes, because rows are written several times faster without them, and
 * returns a function that builds them again.
 */
async function dropIndexes(db: Database): Promise<() => Promise<void>> {
  const { rows } = await db.raw<{ rows: { name: string; definition: string }[] }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'leads' and indexname not in (select conname from pg_constraint)`,
  );
  for (const { name } of rows) await db.raw(`drop index ${name}`);
  return async () => {
    for (const { definition } of rows)
      await db.raw(`set maintenance_work_mem = '1GB'; ${definition}`);
  };
}
