import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/*
 * Customers whose address at Stripe may not be the stored one. A correction changes it there first, because Stripe may
 * refuse it, and deletes the row in the transaction that stores it. What a process leaves behind becomes due again.
 */

/** Much longer than a request to Stripe takes. */
const UNTIL = `now() + interval '1 minute'`;

/** Leases customers for a change of their address. Returns how many; one that another process has leased is left out. */
export async function leaseCustomers(trx: Database, customerIds: string[], leasedBy: string): Promise<number> {
  const leased = await query(
    trx,
    `insert into customer_corrections (stripe_customer_id, leased_by, leased_until)
       select id, :leasedBy::uuid, ${UNTIL} from unnest(:customerIds::text[]) id order by id
     on conflict (stripe_customer_id) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
       where customer_corrections.leased_until <= now() returning 1 as one`,
    { customerIds, leasedBy },
  );
  return leased.length;
}

/** Deletes leased customers: Stripe has the stored address. Returns how many were still leased. */
export async function forgetCustomers(db: Database, leasedBy: string): Promise<number> {
  return db('customer_corrections').where({ leasedBy }).where('leasedUntil', '>', db.fn.now()).delete();
}

/** Makes customers due, unless another process has leased them: Stripe may have an address that was not stored. */
export async function makeCustomersDue(db: Database, customerIds: string[], leasedBy: string): Promise<void> {
  await query(
    db,
    `insert into customer_corrections (stripe_customer_id, leased_by, leased_until)
       select id, :leasedBy::uuid, now() from unnest(:customerIds::text[]) id
     on conflict (stripe_customer_id) do update set leased_until = now()
       where customer_corrections.leased_by = excluded.leased_by`,
    { customerIds, leasedBy },
  );
}

/** Leases one customer that is due. The address is null for a person who was erased. Returns undefined if none is due. */
export async function leaseDueCustomer(
  db: Database,
  leasedBy: string,
): Promise<{ stripeCustomerId: string; email: string | null } | undefined> {
  const [due] = await query<{ stripeCustomerId: string; email: string | null }>(
    db,
    `update customer_corrections due set leased_by = :leasedBy, leased_until = ${UNTIL}
     where stripe_customer_id in (
       select stripe_customer_id from customer_corrections where leased_until <= now()
       order by leased_until limit 1 for update skip locked
     ) returning stripe_customer_id, (
       select email from subscriptions paid where paid.stripe_customer_id = due.stripe_customer_id
       order by email_corrected_at desc nulls last limit 1
     ) as email`,
    { leasedBy },
  );
  return due;
}
