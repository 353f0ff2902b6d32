import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import type { ColumnKind } from './columns.ts';
import { query } from './query.ts';
import { TABLES } from './tables.ts';

/** The driver's result for each type of column. */
const KINDS: Record<string, ColumnKind> = {
  text: 'text',
  uuid: 'text',
  xid8: 'text',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  numeric: 'text',
  boolean: 'boolean',
  date: 'time',
  'timestamp with time zone': 'time',
  json: 'json',
  jsonb: 'json',
  ARRAY: 'list',
};

type ColumnOfDatabase = {
  tableName: string;
  columnName: string;
  dataType: string;
  isNullable: 'YES' | 'NO';
};

const toSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toColumnText = (table: string, column: string, kind: string, isNullable: boolean) =>
  `${table}.${column}: ${kind}${isNullable ? ' or null' : ''}`;

test('a described table has its columns, their kinds and their nulls', async ({ db }) => {
  const columns = await query<ColumnOfDatabase>(
    db,
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
     where table_schema = current_schema() and table_name = any(:described)`,
    { described: Object.keys(TABLES) },
  );

  const described = Object.entries(TABLES).flatMap(([table, described]) =>
    Object.entries(described).map(([name, { kind, isNullable }]) =>
      toColumnText(table, toSnake(name), kind, isNullable),
    ),
  );

  expect(described.toSorted()).toEqual(
    columns
      .map(({ tableName, columnName, dataType, isNullable }) =>
        toColumnText(tableName, columnName, KINDS[dataType] ?? dataType, isNullable === 'YES'),
      )
      .toSorted(),
  );
});
