import type { Database } from '../database/connect.ts';

/*
 * One address is served by one run at a time, whatever the run is about: a lead, a repair, a tier, an erasure.
 * Otherwise two leads of one person, sent at once, would be two subscribers' welcomes.
 */

/** How long a run owns its address and its lead, unless renewed before a further request. */
export const LEASE_SECONDS = 45;

/** True for a row of `leads` whose address no run has just now, and is not being erased. */
export const ADDRESS_IS_FREE = `
  not exists (
    select from address_leases lease where lease.email_normalised = leads.email_normalised and lease.leased_until > sync_now()
  ) and not exists (
    select from erasures where erasures.email_normalised = leads.email_normalised and done_at is null
  )`;

/** Takes the address of a lead for `leasedBy`; false while another run has it, or its erasure is not done. */
export async function leaseAddressOfLead(trx: Database, leadId: string, leasedBy: string): Promise<boolean> {
  const { rows } = await trx.raw(
    `insert into address_leases (email_normalised, leased_by, leased_until)
       select email_normalised, :leasedBy::uuid, sync_now() + make_interval(secs => :lease)
       from leads where id = :leadId and not exists (
         select from erasures where erasures.email_normalised = leads.email_normalised and done_at is null
       )
     on conflict (email_normalised) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
       where address_leases.leased_until <= sync_now()
     returning leased_by`,
    { leadId, leasedBy, lease: LEASE_SECONDS },
  );
  return rows.length > 0;
}

/** Takes an address for `leasedBy`; false while another run has it. */
export async function leaseAddress(trx: Database, emailNormalised: string, leasedBy: string): Promise<boolean> {
  const { rows } = await trx.raw(
    `insert into address_leases (email_normalised, leased_by, leased_until)
       values (:emailNormalised, :leasedBy::uuid, sync_now() + make_interval(secs => :lease))
     on conflict (email_normalised) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
       where address_leases.leased_until <= sync_now()
     returning leased_by`,
    { emailNormalised, leasedBy, lease: LEASE_SECONDS },
  );
  return rows.length > 0;
}

/** Keeps the address for another lease; false when it was lost. */
export async function renewAddress(db: Database, leasedBy: string): Promise<boolean> {
  const { rows } = await db.raw(
    `update address_leases set leased_until = sync_now() + make_interval(secs => :lease)
     where leased_by = :leasedBy and leased_until > sync_now() returning leased_by`,
    { leasedBy, lease: LEASE_SECONDS },
  );
  return rows.length > 0;
}

/** Lets the next run of the same address begin. */
export async function releaseAddress(db: Database, leasedBy: string): Promise<void> {
  await db('address_leases').where({ leasedBy }).delete();
}
