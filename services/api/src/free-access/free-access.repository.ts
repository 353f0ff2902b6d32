import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { OPERATOR_SOURCE } from '@site/schema/lead';

/*
 * Free access: an email gets the paid issue without paying, until a date or as long as somebody
 * else's subscription is live. The email counts as paid until then.
 */

/** The end of access. Exactly one of the two is set. */
export type AccessEnd = { until: Date | null; withSubscription: string | null };

/**
 * Stores the end of a person's free access. A later call replaces an earlier one, but its name and
 * reason only if it has them. With `isEnd`, the record keeps the operator who gave the access. The
 * lead of a guest has the same name.
 */
export async function storeFreeAccess(
  trx: Database,
  access: AccessEnd & {
    email: string;
    operator: string;
    isEnd: boolean;
    name: string | null;
    reason: string | null;
  },
): Promise<void> {
  await query(
    trx,
    `update people set free_until = :until, free_with_subscription = :withSubscription,
       free_granted_by = case when :isEnd then free_granted_by else :operator end,
       free_granted_at = now(), free_name = nullif(coalesce(:name, free_name), ''),
       free_reason = nullif(coalesce(:reason, free_reason), '')
     where email_normalised = normalised_email(:email)`,
    access,
  );
  await nameGuest(trx, access.email);
}

/** Returns true if an operator has given the email access, even if it has ended. */
export async function wasGivenAccess(db: Database, email: string): Promise<boolean> {
  const given = await db('people')
    .whereRaw('email_normalised = normalised_email(?)', [email])
    .whereNotNull('freeGrantedBy')
    .first('freeGrantedBy');
  return given !== undefined;
}

/** Gives a guest's leads the name of the free access. */
async function nameGuest(trx: Database, email: string): Promise<void> {
  await query(
    trx,
    `update leads set full_name = person.free_name
     from people person
     where person.email_normalised = normalised_email(:email) and person.free_granted_by is not null
       and leads.email_normalised = person.email_normalised
       -- A form has the version of its consent, whatever source it claims.
       and leads.utm_source = :guest and leads.consent_text_version is null
       and leads.full_name is distinct from person.free_name`,
    { email, guest: OPERATOR_SOURCE },
  );
}

/**
 * Moves an unused mistyped email's access to the correct email, which keeps the longer access. All
 * leads of that guest then have its name.
 */
export async function moveFreeAccess(trx: Database, from: string, to: string): Promise<void> {
  await query(
    trx,
    `with moved as (
       select free_until, free_with_subscription, free_granted_by, free_granted_at, free_name,
         free_reason, has_free_access(people) as lasts
       from people
       where email_normalised = normalised_email(:from) and free_granted_by is not null
         and not is_email_used(normalised_email(:from))
     ), emptied as (
       update people set free_until = null, free_with_subscription = null,
         free_granted_by = null, free_granted_at = null, free_name = null, free_reason = null
       where email_normalised = normalised_email(:from) and exists (select from moved)
     )
     update people set free_until = moved.free_until,
       free_with_subscription = moved.free_with_subscription,
       free_granted_by = moved.free_granted_by, free_granted_at = moved.free_granted_at,
       free_name = moved.free_name, free_reason = moved.free_reason
     from moved
     where email_normalised = normalised_email(:to)
       and (people.free_granted_by is null or lasts and (
       people.free_until < coalesce(moved.free_until, 'infinity')
       or not has_free_access(people)))`,
    { from, to },
  );
  await nameGuest(trx, to);
}
