import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from '@site/testing/fixtures';
import { breakEveryTable, errorOf } from '@site/testing/refused-rows';
import { expect, vi } from 'vitest';
import { toErrorText, errorMessage, toLoggedError } from './logged-error.ts';
import { createLogger } from './logger.ts';

const MARKER = 'ada.lovelace@marker.example';

/** Logs an error in every way a process may, and prints it like a command. Returns all output. */
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
  return [...lines, toErrorText(nested), errorMessage(error)].join('\n');
}

test('the log holds nothing of the row behind a database error, for any table', async ({ db }) => {
  for (const [table, errors] of await breakEveryTable(db, MARKER)) {
    const quoting = errors.filter((error) =>
      `${String(error)}${JSON.stringify(error)}`.includes(MARKER),
    );
    expect(quoting.length, `errors of ${table} that quote the row`).toBeGreaterThan(1);
    for (const error of errors) {
      const written = await logAndPrint(error);
      expect(written).not.toContain(MARKER);
      expect(written).not.toMatch(/marker|Failing row|invalid input|select \*|insert into/i);
      expect(written).toContain((error as { code: string }).code);
    }
  }
});

test('the log keeps the origin of a database error', async ({ db }) => {
  const error = await errorOf(
    db('leads').insert({ id: '00000000-0000-0000-0000-000000000000', email: MARKER }),
  );

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

test('the log keeps the text of a server error, without its statement', async ({ db }) => {
  const error = await db
    .transaction(async (transaction) => {
      await transaction.raw('set local statement_timeout = 20');
      return errorOf(transaction.raw('select pg_sleep(5)'));
    })
    .catch((failure: unknown) => failure);

  expect(errorMessage(error)).toBe('canceling statement due to statement timeout');
});

test('emails are masked in any error, and in a message that looks like a stack', () => {
  const error = new Error(`Unexpected token in "${MARKER}\n    at ${MARKER} (x:1"`);

  expect(toLoggedError(error).message).not.toContain(MARKER);
  expect(toLoggedError(error).stack).not.toContain('marker');
  expect(toLoggedError(`gone: ${MARKER}`)).toEqual({
    type: 'string',
    message: 'gone: [email]',
  });
});

test('the log of an error that is its own cause comes to an end', () => {
  const error = new Error('round');
  error.cause = error;

  expect(JSON.stringify(toLoggedError(error)).match(/round/g)).toHaveLength(6);
});
