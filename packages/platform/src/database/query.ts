import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** Named values for `:name`, or a list for `?`. */
export type Bindings = Record<string, unknown> | readonly unknown[];

/**
 * Runs one SQL statement and returns its rows, with columns in camelCase. The compiler cannot check
 * `Row` against the SQL. With `preparedAs`, each connection plans the statement once, because
 * planning may take longer than running. Such a statement must name its columns: Postgres refuses a
 * prepared `select *` once a column is added.
 */
export async function query<Row extends object>(
  db: Database,
  sql: string,
  bindings: Bindings = [],
  preparedAs?: string,
): Promise<Row[]> {
  // The driver refuses values of types it does not know.
  const statement = db.raw<{ rows: Row[] }>(sql, bindings as Knex.RawBinding[]);
  try {
    return (await (preparedAs === undefined ? statement : statement.options({ name: preparedAs })))
      .rows;
  } catch (error) {
    // The driver's own stack begins at its socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** Runs a statement that always returns exactly one row. Throws if it returns none or several. */
export async function queryOne<Row extends object>(
  db: Database,
  sql: string,
  bindings: Bindings = [],
  preparedAs?: string,
): Promise<Row> {
  const [row, ...others] = await query<Row>(db, sql, bindings, preparedAs);
  if (row === undefined || others.length > 0)
    throw new Error('A statement did not return exactly one row');
  return row;
}

/** Runs statements that have no values. */
export async function runScript(db: Database, sql: string): Promise<void> {
  // Knex reads a question mark as a bound value.
  await query(db, sql.replaceAll('?', String.raw`\?`));
}

/** Runs the named work in one process at a time. Returns null if another process is running it. */
export async function runExclusively<T>(
  db: Database,
  name: string,
  work: (trx: Database) => Promise<T>,
): Promise<T | null> {
  return db.transaction(async (trx) => {
    const lock = 'select pg_try_advisory_xact_lock(hashtext(?)) as is_ours';
    const { isOurs } = await queryOne<{ isOurs: boolean }>(trx, lock, [name]);
    return isOurs ? work(trx) : null;
  });
}
