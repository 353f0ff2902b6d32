import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';

/*
 * One run at a time serves an email, for a lead, a repair, a tier or an erasure. Otherwise two
 * leads of one person, sent at once, could add them twice.
 */

/** The length of a lease. A run may renew it. */
export const LEASE_SECONDS = 45;

/**
 * Leases the email of a stored lead. Returns false if another run holds it or its erasure is not
 * finished.
 */
export async function leaseEmail(
  trx: Database,
  emailNormalised: string,
  leasedBy: string,
): Promise<boolean> {
  const { isLeased } = await queryOne<{ isLeased: boolean }>(
    trx,
    `select exists (
       select from leads
       where email_normalised = :emailNormalised
         and not exists (
           select from erasing
           where erasing.email_normalised = leads.email_normalised
         )
     ) and lease_email(:emailNormalised, :leasedBy, :lease) as is_leased`,
    { emailNormalised, leasedBy, lease: LEASE_SECONDS },
  );
  return isLeased;
}

/** Renews a lease. Returns false if it is lost: the run must not send. */
export async function renewEmail(db: Database, leasedBy: string): Promise<boolean> {
  const renewed = await query(
    db,
    `update email_leases set leased_until = sync_now() + make_interval(secs => :lease)
     where leased_by = :leasedBy and leased_until > sync_now() returning leased_by`,
    { leasedBy, lease: LEASE_SECONDS },
  );
  return renewed.length > 0;
}

export async function releaseEmail(db: Database, leasedBy: string): Promise<void> {
  await db('email_leases').where({ leasedBy }).delete();
}
