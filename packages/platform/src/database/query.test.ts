import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { toLoggedError } from '../process/logged-error.ts';
import type { LoggedError } from '../process/logged-error.ts';
import { query, queryOne } from './query.ts';

test('rows come back with camelCase columns, bound by name or by place', async ({ db }) => {
  const named = await query<{ fullName: string }>(db, 'select :name::text as full_name', {
    name: 'Ada',
  });
  const placed = await query<{ fullName: string }>(db, 'select ?::text as full_name', ['Ada']);

  expect(named).toEqual([{ fullName: 'Ada' }]);
  expect(placed).toEqual(named);
});

test('a statement without a result has no rows', async ({ db }) => {
  expect(await query(db, 'update sync_health set missing_fields = missing_fields')).toEqual([]);
});

test('queryOne insists on exactly one row', async ({ db }) => {
  expect(await queryOne<{ n: number }>(db, 'select 1 as n')).toEqual({ n: 1 });
  await expect(queryOne(db, 'select 1 where false')).rejects.toThrow('exactly one row');
  await expect(queryOne(db, 'select generate_series(1, 2) as n')).rejects.toThrow(
    'exactly one row',
  );
});

test('an error names the file that ran the statement', async ({ db }) => {
  const runIt = async () => query(db, 'select 1 / 0');
  let logged: LoggedError | undefined;
  try {
    await runIt();
  } catch (error) {
    logged = toLoggedError(error);
  }

  expect(logged).toMatchObject({ code: '22012', stack: expect.stringContaining('query.test.ts:') });
});
