import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { grantRoles } from './grants.ts';
import { query, queryOne, runScript } from './query.ts';
import { readSchema } from './schema.ts';
import type { Schema } from './schema.ts';

/**
 * Statements queue behind a migration that waits for their table, so it waits for one second and
 * tries again later.
 */
const LOCK_TIMEOUT = `set local lock_timeout = '1s'`;
const MAX_RETRIES = 150;

type Options = {
  schema?: Schema;
  /** The URL of API and worker, if they have a role of their own. */
  appUrl?: string | undefined;
  /** Called before each new try with the session that uses a table the migration needs. */
  onBlocked?: (by: string) => void;
  retryAfterMs?: number;
};

/**
 * Applies the missing migrations, each in a transaction of its own, then replaces functions, views
 * and grants. Returns the names of the migrations. Safe to run twice, and from two machines at
 * once. Tries again for ten minutes while another session uses a table.
 */
export async function migrateDatabase(
  db: Database,
  { schema = readSchema(), appUrl, onBlocked, retryAfterMs = 3_000 }: Options = {},
): Promise<string[]> {
  return db.transaction(async (lock) => {
    // Only holds the lock while another connection migrates, however long that takes.
    await query(lock, 'set local idle_in_transaction_session_timeout = 0');
    // A second migrator waits here, and then has no migration to apply.
    await query(lock, `select pg_advisory_xact_lock(hashtext('migrate'))`);
    const missing = await findMissingMigrations(lock, schema);
    if (missing.includes('baseline') && (await hasTable(lock, 'knex_migrations')))
      throw new Error('an earlier build made it, so stop npm start and delete .data/postgres.');
    const steps = [
      ...missing.map((name) => () => apply(db, name, schema.migrations[name] ?? '')),
      () => replace(db, schema, appUrl),
    ];
    for (let retries = 0; steps[0] !== undefined;) {
      try {
        await steps[0]();
        steps.shift();
      } catch (error) {
        if (!isBlocked(error) || retries >= MAX_RETRIES) throw error;
        retries += 1;
        onBlocked?.(await findOldestSession(lock));
        await sleep(retryAfterMs);
      }
    }
    return missing;
  });
}

/** Names the migrations of this build that the database lacks. */
export async function findMissingMigrations(
  db: Database,
  { migrations }: Schema = readSchema(),
): Promise<string[]> {
  const applied = (await hasTable(db, 'migrations')) ? await db('migrations').pluck('name') : [];
  return Object.keys(migrations).filter((name) => !applied.includes(name));
}

async function hasTable(db: Database, name: string): Promise<boolean> {
  const sql = 'select to_regclass(?) is not null as has_table';
  return (await queryOne<{ hasTable: boolean }>(db, sql, [name])).hasTable;
}

async function apply(db: Database, name: string, sql: string): Promise<void> {
  const record = `insert into migrations (name) values ('${name}')`;
  // Postgres builds an index beside writers only outside a transaction. Such a file can be
  // repeated.
  if (/^(create (unique )?|drop )index concurrently/m.test(sql)) {
    for (const statement of [...sql.split(/;$/m), record]) await runScript(db, statement);
  } else {
    await db.transaction((trx) => runScript(trx, [LOCK_TIMEOUT, sql, record].join(';\n')));
  }
}

/**
 * Replaces functions in place, because triggers depend on them, and views with their grants in one
 * transaction.
 */
async function replace(db: Database, schema: Schema, appUrl: string | undefined): Promise<void> {
  await db.transaction(async (trx) => {
    await runScript(trx, [LOCK_TIMEOUT, schema.functions].join(';\n'));
    const { views } = await queryOne<{ views: string | null }>(
      trx,
      `select string_agg(pg_class.oid::regclass::text, ', ') as views from pg_class
       where relkind = 'v' and relnamespace = current_schema()::regnamespace
         and pg_get_userbyid(relowner) = current_user
         and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')`,
    );
    if (views !== null) await query(trx, `drop view ${views}`);
    await runScript(trx, schema.views);
    if (appUrl !== undefined) await grantRoles(trx, appUrl, schema.grants);
    await query(trx, `comment on table migrations is '${toHash(schema)}'`);
  });
}

const toHash = ({ functions, views, grants }: Schema) =>
  createHash('sha256').update(functions).update(views).update(grants).digest('hex');

/** Returns true if the last migrate had the same functions, views and grants. */
export async function hasSameViews(db: Database, schema = readSchema()): Promise<boolean> {
  const sql = `select obj_description('migrations'::regclass) as hash`;
  return (await queryOne<{ hash: string | null }>(db, sql)).hash === toHash(schema);
}

/** Returns true for a lock that another session holds, or a deadlock with it. */
const isBlocked = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');

/** Describes the session with the oldest transaction, which usually blocks the migration. */
async function findOldestSession(db: Database): Promise<string> {
  const [oldest] = await query<{ pid: number; program: string; seconds: number }>(
    db,
    `select pid, application_name as program, extract(epoch from clock_timestamp() - xact_start)::int as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  return oldest
    ? `process ${oldest.pid} ("${oldest.program}", ${oldest.seconds} s)`
    : 'a session that has just ended';
}
