import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../process/logged-error.ts';
import type { Database } from './connect.ts';
import { query, queryOne, runScript } from './query.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { createDatabase } from './connect.ts';

/**
 * While a migration waits for a table, other statements queue behind it. So a migration waits for
 * one second, and is tried again later.
 */
const LOCK_TIMEOUT = `set local lock_timeout = '1s'`;
const MAX_RETRIES = 150;

type Options = {
  schema?: Schema;
  /** The URL of API and worker, if they have a role of their own. */
  appUrl?: string | undefined;
  /** Called before each new try. `by` describes the session that probably blocks the migration. */
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
    // This transaction only holds the lock while another connection migrates, however long.
    await query(lock, 'set local idle_in_transaction_session_timeout = 0');
    // A second migrator asks again until it has the lock. A statement that waited for the lock
    // would keep a snapshot, and a concurrent index build waits for older snapshots.
    while (!(await tryLock(lock))) await sleep(retryAfterMs);
    const missing = await findMissingMigrations(db, schema);
    if (missing.includes('baseline') && (await hasTable(db, 'knex_migrations')))
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

async function tryLock(trx: Database): Promise<boolean> {
  const sql = `select pg_try_advisory_xact_lock(hashtext('migrate')) as is_ours`;
  return (await queryOne<{ isOurs: boolean }>(trx, sql)).isOurs;
}

async function hasTable(db: Database, name: string): Promise<boolean> {
  const sql = 'select to_regclass(?) is not null as has_table';
  return (await queryOne<{ hasTable: boolean }>(db, sql, [name])).hasTable;
}

async function apply(db: Database, name: string, sql: string): Promise<void> {
  const record = `insert into migrations (name) values ('${name}')`;
  // Postgres builds an index beside writers only outside a transaction. Such a file must be
  // repeatable.
  if (/^(create (unique )?|drop )index concurrently/m.test(sql)) {
    const statements = sql.split(/;$/m).filter((each) => each.trim() !== '');
    for (const statement of [...statements, record]) await runScript(db, statement);
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

/** Returns true if the last migration installed the same functions, views and grants. */
export async function hasSameViews(db: Database, schema = readSchema()): Promise<boolean> {
  const sql = `select obj_description('migrations'::regclass) as hash`;
  return (await queryOne<{ hash: string | null }>(db, sql)).hash === toHash(schema);
}

/** Returns true for a lock that another session holds, or a deadlock with it. */
const isBlocked = (error: unknown) => ['55P03', '40P01'].includes(codeOf(error));

/** Describes the session with the oldest transaction, which usually blocks the migration. */
async function findOldestSession(db: Database): Promise<string> {
  const [oldest] = await query<{ pid: number; program: string; seconds: number }>(
    db,
    `select pid, application_name as program,
       extract(epoch from clock_timestamp() - xact_start)::int as seconds
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  return oldest
    ? `process ${oldest.pid} ("${oldest.program}", ${oldest.seconds} s)`
    : 'a session that has just ended';
}

const FOLDER = new URL('schema/', import.meta.url);
const BASELINE = [
  'migrations',
  'functions',
  'leads',
  'sync',
  'people',
  'money',
  'operators',
  'notices',
];

/**
 * The SQL of a build: migrations by name, each applied once, and the files that every migrate runs
 * again.
 */
export type Schema = {
  migrations: Record<string, string>;
  functions: string;
  views: string;
  grants: string;
};

/** Reads the files of `schema/`: the baseline, then the numbered migrations beside it. */
export function readSchema(): Schema {
  const read = (name: string) => readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8');
  const numbered = readdirSync(FOLDER)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .toSorted()
    .map((file) => file.replace('.sql', ''));
  return {
    migrations: {
      baseline: BASELINE.map(read).join('\n'),
      ...Object.fromEntries(numbered.map((name) => [name, read(name)])),
    },
    functions: read('functions'),
    // The judgement's functions name row types of tables, so the tables must exist first.
    views: [read('views'), read('judgement')].join('\n'),
    grants: read('grants'),
  };
}

/** The role for people and reports. May read all but operators, sessions and their secrets. */
export const READ_ONLY_ROLE = 'site_read_only';

/** Postgres's codes for a login that fails, and for a right that the owner lacks. */
const CANNOT_SIGN_IN = ['28P01', '28000'];
const NOT_ALLOWED = '42501';

/**
 * Lets the role of API and worker sign in at `appUrl`, and runs `grants` for it and the read-only
 * role. Creates missing roles, and gives the first the URL's password if it has another. Run it as
 * the owner, in a transaction.
 */
export async function grantRoles(trx: Database, appUrl: string, grants: string): Promise<void> {
  const { username, password } = new URL(appUrl);
  const app = decodeURIComponent(username);
  const { schema, owner } = await queryOne<{ schema: string; owner: string }>(
    trx,
    'select current_schema() as schema, current_user as owner',
  );
  if (app === owner)
    throw new Error(`MIGRATE_DATABASE_URL and DATABASE_URL have the same role, "${owner}"`);
  if (!(await canConnect(appUrl))) await giveLogin(trx, app, decodeURIComponent(password));
  await query(trx, createMissing(READ_ONLY_ROLE));
  // psql writes a variable that is an identifier as `:"name"`.
  const names: Record<string, string> = { schema, app, reader: READ_ONLY_ROLE };
  const named = grants.replaceAll(/:"(\w+)"/g, (_, name: string) =>
    escapeIdentifier(names[name] ?? ''),
  );
  await runScript(trx, named);
}

const createMissing = (role: string) =>
  `do $do$ begin create role ${escapeIdentifier(role)}; exception when duplicate_object then ` +
  'null; end $do$';

async function giveLogin(trx: Database, role: string, password: string): Promise<void> {
  const login =
    `alter role ${escapeIdentifier(role)} login password ` + escapeLiteral(scramVerifier(password));
  try {
    for (const statement of [createMissing(role), login]) await query(trx, statement);
  } catch (cause) {
    if (codeOf(cause) !== NOT_ALLOWED) throw cause;
    const message =
      `the role "${role}" of DATABASE_URL cannot sign in, and that of MIGRATE_DATABASE_URL may ` +
      'not create it or change its password (CREATEROLE)';
    throw new Error(message, { cause });
  }
}

const ITERATIONS = 4_096;

/**
 * Turns a password into Postgres's stored form (RFC 5802), as psql's \password does: a statement
 * with the password itself could stay in the server's log.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

async function canConnect(url: string): Promise<boolean> {
  const db = createDatabase({ url, maxConnections: 1, applicationName: 'migrate' });
  try {
    await query(db, 'select 1');
    return true;
  } catch (error) {
    if (CANNOT_SIGN_IN.includes(codeOf(error))) return false;
    throw error;
  } finally {
    await db.destroy();
  }
}
