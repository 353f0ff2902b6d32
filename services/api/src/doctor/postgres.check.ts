import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { findDatabaseFault, readDatabaseFacts } from '@site/platform/database/check-database';
import type { DatabaseFacts } from '@site/platform/database/check-database';
import { queryOne } from '@site/platform/database/query';
import { compareClocks, error, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/process/logged-error';

/** Checks that Postgres is reachable and usable, and that its clock agrees with ours. */
export async function examinePostgres(db: Database, clock: Clock): Promise<Finding[]> {
  const askedAt = clock.now().getTime();
  let at: Date;
  try {
    ({ at } = await queryOne<{ at: Date }>(db, 'select clock_timestamp() as at'));
  } catch (fault) {
    return [
      error(
        'Postgres',
        `does not answer: ${errorMessage(fault)}`,
        'Start it, and check host, user and password in DATABASE_URL.',
      ),
    ];
  }
  const ours = new Date((askedAt + clock.now().getTime()) / 2);
  return [examineFacts(await readDatabaseFacts(db)), compareClocks('Postgres', at, ours)];
}

function examineFacts(facts: DatabaseFacts): Finding {
  const fault = findDatabaseFault(facts);
  if (fault === null) return ok('Postgres', `version ${facts.version}`);
  return error('Postgres', fault.message, fault.remedy);
}
