import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import type { Remedy } from '@site/schema/differences';

type Person = CallSent<'GET /api/admin/leads/:id/person'>;
type State = Pick<Person, 'name' | 'state' | 'since' | 'until' | 'reason' | 'mainSubscription'>;

const UNKNOWN: State = {
  name: null,
  state: 'none',
  since: null,
  until: null,
  reason: null,
  mainSubscription: null,
};

/** Reads a person's name and state. A lead of moments ago may have no person yet. */
export async function readState(db: Database, emailNormalised: string): Promise<State> {
  const [state] = await query<State>(
    db,
    `select name, coalesce(state, 'none') as state, state_since as since, state_until as until,
       state_reason as reason, main_subscription
     from people
     where email_normalised = :emailNormalised`,
    { emailNormalised },
    'read-state',
  );
  return state ?? UNKNOWN;
}

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

/** Finds the email of a lead's person. Returns null for an unknown lead. */
export async function findEmailOfLead(db: Database, id: string): Promise<string | null> {
  const lead = await db('leads').where({ id }).first('emailNormalised');
  return lead?.emailNormalised ?? null;
}

export type NotReceiving = NonNullable<Person['notReceiving']>;

/** Reads why a paying email does not receive the paid issue, and the remedy offered. */
export async function readNotReceiving(
  db: Database,
  emailNormalised: string,
): Promise<(Omit<NotReceiving, 'remedy'> & { offered: Remedy | null }) | undefined> {
  const [row] = await query<Omit<NotReceiving, 'remedy'> & { offered: Remedy | null }>(
    db,
    `select people.email, deciding_lead as lead_id, difference_id, state_reason as reason,
       remedy as offered
     from people left join differences on differences.id = difference_id
     where people.email_normalised = :emailNormalised and state = 'not-receiving'`,
    { emailNormalised },
    'find-not-receiving',
  );
  return row;
}
