/*
 * Descriptions of columns for `tables.ts`. They exist at runtime, so that a test can compare them
 * with the migrated database. The types of rows are inferred from them.
 */

export type ColumnKind = 'text' | 'number' | 'boolean' | 'time' | 'json' | 'list';

/** `Value` is the type of the driver's result. It exists for the compiler only. */
export type Column<Value> = { kind: ColumnKind; isNullable: boolean; value?: Value };

export type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value>
    ? Exclude<Value, undefined>
    : never;
};

const column = <Value>(kind: ColumnKind): Column<Value> => ({ kind, isNullable: false });

export const text = column<string>('text');
export const number = column<number>('number');
export const flag = column<boolean>('boolean');
export const time = column<Date>('time');
export const texts = column<string[]>('list');

export const word = <Value extends string>(): Column<Value> => column<Value>('text');

export const json = <Value extends object>(): Column<Value> => column<Value>('json');

export const orNull = <Value>({ kind }: Column<Value>): Column<Value | null> => ({
  kind,
  isNullable: true,
});
