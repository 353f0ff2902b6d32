import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { queryOne } from '@site/platform/database/query';
import { compareClocks, error, ok } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/process/logged-error';

const OLDEST_MAJOR = 16;

type Server = { version: string; number: number; at: Date };

/** Checks that Postgres is reachable, recent enough, and that its clock agrees with ours. */
export async function examinePostgres(db: Database, clock: Clock): Promise<Finding[]> {
  const askedAt = clock.now().getTime();
  let server: Server;
  try {
    server = await queryOne<Server>(
      db,
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
         clock_timestamp() as at`,
    );
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
  return [examineVersion(server), compareClocks('Postgres', server.at, ours)];
}

/** Checks the version. `number` is Postgres's own: 160004 is 16.4. */
export function examineVersion({ version, number }: { version: string; number: number }): Finding {
  if (number >= OLDEST_MAJOR * 10_000) return ok('Postgres', `version ${version}`);
  return error(
    'Postgres',
    `version ${version} is too old`,
    `Move to Postgres ${OLDEST_MAJOR} or later.`,
  );
}
