import { findDatabaseFault, readDatabaseFacts } from '@site/platform/database/check-database';
import type { Database } from '@site/platform/database/connect';
import { error, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/process/logged-error';

/** Checks that Postgres is reachable and usable. */
export async function examinePostgres(db: Database): Promise<Finding[]> {
  try {
    const facts = await readDatabaseFacts(db);
    const fault = findDatabaseFault(facts);
    if (fault) return [error('Postgres', fault.message, fault.remedy)];
    return [ok('Postgres', `version ${facts.version}`)];
  } catch (fault) {
    const remedy = 'Start it, and check host, user and password in DATABASE_URL.';
    return [error('Postgres', `does not answer: ${errorMessage(fault)}`, remedy)];
  }
}
