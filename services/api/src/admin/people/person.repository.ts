import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';

type Person = CallSent<'GET /api/admin/leads/:id/person'>;

/** Lists the differences of an email that have a remedy. */
export const listRemedies = (db: Database, emailNormalised: string) =>
  query<Person['differences'][number]>(
    db,
    `select id, remedy, requested_at is not null as is_requested from differences
     where email_normalised = :emailNormalised and remedy is not null order by id`,
    { emailNormalised },
  );

/** Lists people by email, each with their newest lead. */
export const listOthers = (db: Database, emails: string[]) =>
  query<Person['others'][number]>(
    db,
    `select distinct on (email_normalised) leads.email, leads.id as lead_id, people.status
     from leads left join people using (email_normalised)
     where email_normalised = any(array(select normalised_email(unnest(:emails::text[]))))
     order by email_normalised, submitted_at desc, leads.id desc`,
    { emails },
  );
