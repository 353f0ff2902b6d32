import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';

/*
 * Complimentary access: an address that gets the paid issue without paying, until a date. It counts as paid until then.
 */

/** Stores until when an address has complimentary access. A later call replaces an earlier one. */
export async function storeComplimentary(
  trx: Database,
  { email, until, operator }: { email: string; until: Date; operator: string },
): Promise<void> {
  await trx.raw(
    `insert into complimentary_access (email_normalised, until, granted_by) values (lower(:email), :until, :operator)
     on conflict (email_normalised) do update set until = excluded.until, granted_by = excluded.granted_by,
       granted_at = now(), ended_at = null`,
    { email, until, operator },
  );
}

/** Moves the access of a mistyped address that nobody uses to the correct one, which keeps the later date. */
export async function moveComplimentary(trx: Database, from: string, to: string): Promise<void> {
  await trx.raw(
    `with moved as (
       delete from complimentary_access where email_normalised = lower(:from) and not is_address_used(lower(:from)) returning *
     )
     insert into complimentary_access (email_normalised, until, granted_by, granted_at, ended_at)
       select lower(:to), until, granted_by, granted_at, ended_at from moved
     on conflict (email_normalised) do update set until = excluded.until, granted_by = excluded.granted_by,
       granted_at = excluded.granted_at, ended_at = excluded.ended_at
       where complimentary_access.until < excluded.until`,
    { from, to },
  );
}

type Access = CallSent<'GET /api/admin/people/complimentary'>['access'];

/** Lists who has or had complimentary access, the latest end first, each with their newest lead. */
export async function listComplimentary(db: Database): Promise<Access> {
  return query<Access[number]>(
    db,
    `select coalesce(lead.email, email_normalised) as email, lead.id as lead_id, until, until <= now() as is_over,
       granted_by, granted_at
     from complimentary_access access left join lateral (
       select id, email from leads where leads.email_normalised = access.email_normalised
       order by submitted_at desc limit 1
     ) lead on true
     order by until desc limit 100`,
  );
}

export async function findComplimentary(
  db: Database,
  emailNormalised: string,
): Promise<{ until: Date; isOver: boolean; grantedBy: string } | undefined> {
  const [access] = await query<{ until: Date; isOver: boolean; grantedBy: string }>(
    db,
    'select until, until <= now() as is_over, granted_by from complimentary_access where email_normalised = ?',
    [emailNormalised],
  );
  return access;
}
