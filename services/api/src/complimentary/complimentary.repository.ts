import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';

/*
 * Complimentary access: an address that gets the paid issue without paying, until a date or as long as a subscription of
 * somebody else is live. It counts as paid until then.
 */

/** How long access lasts. One of both. */
export type AccessEnd = { until: Date | null; withSubscription: string | null };

/** Stores how long an address has complimentary access. A later call replaces an earlier one. */
export async function storeComplimentary(
  trx: Database,
  access: AccessEnd & { email: string; operator: string },
): Promise<void> {
  await trx.raw(
    `insert into complimentary_access (email_normalised, until, with_subscription, granted_by)
       values (lower(:email), :until, :withSubscription, :operator)
     on conflict (email_normalised) do update set until = excluded.until,
       with_subscription = excluded.with_subscription, granted_by = excluded.granted_by,
       granted_at = now(), ended_at = null`,
    access,
  );
}

/** Moves the access of a mistyped address that nobody uses to the correct one, which keeps the one that lasts longer. */
export async function moveComplimentary(trx: Database, from: string, to: string): Promise<void> {
  await trx.raw(
    `with moved as (
       delete from complimentary_access where email_normalised = lower(:from) and not is_address_used(lower(:from)) returning *
     )
     insert into complimentary_access (email_normalised, until, with_subscription, granted_by, granted_at, ended_at)
       select lower(:to), until, with_subscription, granted_by, granted_at, ended_at from moved
     on conflict (email_normalised) do update set until = excluded.until,
       with_subscription = excluded.with_subscription, granted_by = excluded.granted_by,
       granted_at = excluded.granted_at, ended_at = excluded.ended_at
       where excluded.ended_at is null and (complimentary_access.ended_at is not null
         or complimentary_access.until < coalesce(excluded.until, 'infinity'))`,
    { from, to },
  );
}

type Access = CallSent<'GET /api/admin/people/complimentary'>['access'];

/** Lists who has or had complimentary access, the latest end first, each with their newest lead. */
export async function listComplimentary(db: Database): Promise<Access> {
  return query<Access[number]>(
    db,
    `select coalesce(lead.email, access.email_normalised) as email, lead.id as lead_id, access.until,
       with_subscription, paid.email as paid_by, not coalesce(until > now(), paid.is_live, false) as is_over,
       granted_by, granted_at
     from complimentary_access access left join lateral (
       select id, email from leads where leads.email_normalised = access.email_normalised
       order by submitted_at desc limit 1
     ) lead on true
       left join subscriptions paid on paid.stripe_subscription_id = access.with_subscription
     order by is_over, until desc, access.email_normalised limit 100`,
  );
}

export async function findComplimentary(
  db: Database,
  emailNormalised: string,
): Promise<CallSent<'GET /api/admin/leads/:id'>['complimentary']> {
  const [access] = await query<NonNullable<CallSent<'GET /api/admin/leads/:id'>['complimentary']>>(
    db,
    `select until, with_subscription, paid.email as paid_by, granted_by,
       not coalesce(until > now(), paid.is_live, false) as is_over
     from complimentary_access access
       left join subscriptions paid on paid.stripe_subscription_id = access.with_subscription
     where access.email_normalised = ?`,
    [emailNormalised],
  );
  return access ?? null;
}
