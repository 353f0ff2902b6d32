import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/** Returns the error that `work` threw, or null. */
export async function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return null;
}

type Column = { tableName: string; columnName: string; dataType: string };

/**
 * Breaks types, nulls and checks of every table with a row that holds `marker`, outside and inside
 * a transaction. Returns the errors by table.
 */
export async function breakEveryTable(
  db: Database,
  marker: string,
): Promise<Map<string, unknown[]>> {
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
    const withMarker = (chosen: Column[]) =>
      Object.fromEntries(chosen.map(({ columnName }) => [columnName, marker]));
    const attempts = [
      errorOf(db(table).insert(withMarker(own))),
      errorOf(
        db.transaction((transaction) =>
          transaction(table).insert(withMarker(texts.length > 0 ? texts : own)),
        ),
      ),
      ...others.map((column) =>
        errorOf(
          db(table)
            .where(withMarker([column]))
            .select(),
        ),
      ),
      errorOf(db.raw(`select * from "${table}" where '${marker}'::int = 1`)),
    ];
    errors.set(
      table,
      (await Promise.all(attempts)).filter((error) => error !== null),
    );
  }
  return errors;
}

/** Makes every table refuse every new row, with an error that quotes the row. */
export async function refuseEveryRow(db: Database): Promise<void> {
  const tables = await query<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    await query(
      db,
      `alter table "${name}" add constraint refuse_every_row check (false) not valid`,
    );
  }
}

/**
 * Makes every new lead fail as on a full disk, while small writes still work. Returns a function
 * that ends it.
 */
export async function fillDisk(db: Database): Promise<() => Promise<void>> {
  await query(
    db,
    `create function fill_disk() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
  );
  await query(
    db,
    'create trigger fill_disk before insert on leads for each row execute function fill_disk()',
  );
  return async () => void (await query(db, 'drop function fill_disk cascade'));
}
