import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from '@site/testing/fixtures';
import { describe, expect, vi } from 'vitest';
import type { Database } from './database/connect.ts';
import { query } from './database/query.ts';
import { describeError, errorMessage, toLoggedError } from './logged-error.ts';
import { createLogger } from './logger.ts';

const MARKER = 'ada.lovelace@marker.example';

/** Logs an error in every way that a process may, and prints it as a command does. Returns everything that was written. */
async function logAndPrint(error: unknown): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const log = createLogger({ service: 'test', level: 'info' });
  const nested = new Error('The work failed', {
    cause: new AggregateError([error, new Error('other', { cause: error })]),
  });
  log.error({ err: error }, 'request failed');
  log.error({ err: error });
  log.error(error);
  log.error({ err: nested }, 'request failed');
  await nextTurn();
  const lines = write.mock.calls.join('').trim().split('\n');
  write.mockRestore();
  expect(lines).toHaveLength(4);
  return [...lines, describeError(nested), errorMessage(error)].join('\n');
}

async function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return null;
}

type Column = { tableName: string; columnName: string; dataType: string };

/** Breaks types, nulls and checks of every table with the marker, outside and inside a transaction. */
async function breakEveryTable(db: Database): Promise<Map<string, unknown[]>> {
  const columns = await query<Column>(
    db,
    `select table_name as "tableName", column_name as "columnName", data_type as "dataType"
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = current_schema() and table_type = 'BASE TABLE' and is_generated = 'NEVER'`,
  );
  const errors = new Map<string, unknown[]>();
  for (const table of new Set(columns.map(({ tableName }) => tableName))) {
    const own = columns.filter(({ tableName }) => tableName === table);
    const texts = own.filter(({ dataType }) => dataType === 'text');
    const others = own.filter(({ dataType }) => dataType !== 'text');
    const withMarker = (chosen: Column[]) => Object.fromEntries(chosen.map(({ columnName }) => [columnName, MARKER]));
    const attempts = [
      errorOf(db(table).insert(withMarker(own))),
      errorOf(db.transaction((transaction) => transaction(table).insert(withMarker(texts.length > 0 ? texts : own)))),
      ...others.map((column) =>
        errorOf(
          db(table)
            .where(withMarker([column]))
            .select(),
        ),
      ),
      errorOf(db.raw(`select * from "${table}" where '${MARKER}'::int = 1`)),
    ];
    errors.set(
      table,
      (await Promise.all(attempts)).filter((error) => error !== null),
    );
  }
  return errors;
}

describe('the log', () => {
  test('holds nothing of the row behind a database error, for any table', async ({ db }) => {
    for (const [table, errors] of await breakEveryTable(db)) {
      const quoting = errors.filter((error) => `${String(error)}${JSON.stringify(error)}`.includes(MARKER));
      expect(quoting.length, `errors of ${table} that quote the row`).toBeGreaterThan(1);
      for (const error of errors) {
        const written = await logAndPrint(error);
        expect(written).not.toContain(MARKER);
        expect(written).not.toMatch(/marker|Failing row|invalid input|select \*|insert into/i);
        expect(written).toContain((error as { code: string }).code);
      }
    }
  });

  test('keeps what tells where a database error comes from', async ({ db }) => {
    const error = await errorOf(db('leads').insert({ id: '00000000-0000-0000-0000-000000000000', email: MARKER }));

    const logged = toLoggedError(error);
    expect(logged).toMatchObject({
      code: '23502',
      message: 'database error 23502',
      table: 'leads',
      column: expect.any(String),
      routine: expect.any(String),
    });
    expect(logged.stack).toMatch(/^ {4}at /);
  });

  test('keeps the text of an error that concerns the server, without its statement', async ({ db }) => {
    const error = await db
      .transaction(async (transaction) => {
        await transaction.raw('set local statement_timeout = 20');
        return errorOf(transaction.raw('select pg_sleep(5)'));
      })
      .catch((fault: unknown) => fault);

    expect(errorMessage(error)).toBe('canceling statement due to statement timeout');
  });
});

describe('toLoggedError', () => {
  test('masks addresses in any error, and in a message that looks like a stack', () => {
    const error = new Error(`Unexpected token in "${MARKER}\n    at ${MARKER} (x:1"`);

    expect(toLoggedError(error).message).not.toContain(MARKER);
    expect(toLoggedError(error).stack).not.toContain('marker');
    expect(toLoggedError(`gone: ${MARKER}`)).toEqual({ type: 'string', message: 'gone: [email address]' });
  });

  test('ends with an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;

    expect(JSON.stringify(toLoggedError(error)).match(/round/g)).toHaveLength(6);
  });
});
