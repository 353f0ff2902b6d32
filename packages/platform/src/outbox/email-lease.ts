import type { Database } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';

/*
 * One run at a time serves an email, for a lead or for a person's wish. Otherwise two
 * leads of one person, sent at once, could add them twice.
 */

/** The length of a lease. A run may renew it. */
export const LEASE_SECONDS = 45;

/** Leases an email. Returns false if another run holds it. */
export async function leaseEmail(
  trx: Database,
  emailNormalised: string,
  leasedBy: string,
): Promise<boolean> {
  const { isLeased } = await queryOne<{ isLeased: boolean }>(
    trx,
    'select lease_email(:emailNormalised, :leasedBy, :lease) as is_leased',
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
