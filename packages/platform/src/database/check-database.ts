import { SettingsError } from '../settings/read-settings.ts';
import { withTimeout } from '../process/with-timeout.ts';
import type { Database } from './connect.ts';
import { queryOne } from './query.ts';

const OLDEST_MAJOR = 16;
/** The longest that a silent Postgres delays a start. */
const PATIENCE_MS = 1_500;
const CREATE_ANEW =
  'Create the database anew, as "Postgres and Redis from elsewhere" in docs/install.md says.';

/** Facts about a database. `number` is Postgres's own version number: 160004 is 16.4. */
export type DatabaseFacts = {
  version: string;
  number: number;
  encoding: string;
  locale: string;
  comparesLetters: boolean;
};

export type DatabaseFailure = { message: string; remedy: string };

export function readDatabaseFacts(db: Database): Promise<DatabaseFacts> {
  return queryOne<DatabaseFacts>(
    db,
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding,
       datctype as locale, lower('MÜLLER') = 'müller' as compares_letters
     from pg_database where datname = current_database()`,
  );
}

/** Returns why the product cannot use such a database, or null. */
export function findDatabaseFailure(facts: DatabaseFacts): DatabaseFailure | null {
  const { version, number, encoding, locale, comparesLetters } = facts;
  if (number < OLDEST_MAJOR * 10_000) {
    return {
      message: `version ${version} is too old`,
      remedy: `Move to Postgres ${OLDEST_MAJOR} or later.`,
    };
  }
  if (encoding !== 'UTF8')
    return { message: `the encoding ${encoding} is not UTF8`, remedy: CREATE_ANEW };
  if (!comparesLetters) {
    return {
      message: `the locale "${locale}" cannot compare letters: MÜLLER does not find müller`,
      remedy: CREATE_ANEW,
    };
  }
  return null;
}

/** Throws a `SettingsError` if the product cannot use this database. */
export async function checkDatabase(db: Database): Promise<void> {
  const failure = findDatabaseFailure(await readDatabaseFacts(db));
  if (failure !== null)
    throw new SettingsError(`Postgres is not usable: ${failure.message}. ${failure.remedy}`);
}

/** Checks at a process's start. Passes if Postgres is unavailable, which `/readyz` shows. */
export async function checkDatabaseAtStart(db: Database): Promise<void> {
  try {
    await withTimeout(PATIENCE_MS, () => checkDatabase(db));
  } catch (error) {
    if (error instanceof SettingsError) throw error;
  }
}
