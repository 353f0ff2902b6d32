import type { Database } from '@site/platform/database/connect';
import { LEASE_SECONDS, releaseAddress } from '@site/platform/outbox/address-lease';
import { toMessage } from '@site/platform/outbox/attempts';

/*
 * The half of an erasure that is the newsletter's: the row keeps the address until the newsletter has
 * forgotten it. The address's lease is taken first, so a request about the same person that is under way
 * ends before; and no lead of that address leaves until this has been done.
 */

export type DueErasure = { id: string; emailNormalised: string; attempts: number };

const open = (db: Database, id: string) => db('erasures').where({ id }).whereNull('doneAt');

/**
 * Takes the erasure that is due longest and whose address nobody is serving, for `leasedBy`; null when there is
 * none. Not while the sync is paused: with a wrong publication every subscriber seems to be gone.
 */
export async function claimDueErasure(db: Database, leasedBy: string): Promise<DueErasure | null> {
  const { rows } = await db.raw(
    `with due as (
       select id, email_normalised, attempts from erasures
       where done_at is null and next_attempt_at <= sync_now() and (select paused_since is null from sync_health) and not exists (
         select from address_leases lease where lease.email_normalised = erasures.email_normalised and lease.leased_until > sync_now()
       )
       order by next_attempt_at limit 1 for update skip locked
     ), lease as (
       insert into address_leases (email_normalised, leased_by, leased_until)
         select email_normalised, :leasedBy::uuid, sync_now() + make_interval(secs => :lease) from due
       on conflict (email_normalised) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
         where address_leases.leased_until <= sync_now()
       returning email_normalised
     )
     select due.* from due join lease using (email_normalised)`,
    { leasedBy, lease: LEASE_SECONDS },
  );
  return rows[0] ?? null;
}

/** The newsletter does not know the address any more, and neither does anything of ours, `leasedBy`'s lease included. */
export async function finishErasure(db: Database, id: string, leasedBy: string, message: string): Promise<void> {
  await db.transaction(async (trx) => {
    await releaseAddress(trx, leasedBy);
    await open(trx, id).update({
      doneAt: trx.raw('sync_now()'),
      emailNormalised: null,
      attempts: trx.raw('attempts + 1'),
      lastMessage: toMessage(message),
    });
  });
}

/** It did not work: again after `delayMs`. */
export async function postponeErasure(db: Database, id: string, message: string, delayMs: number): Promise<void> {
  await open(db, id).update({
    attempts: db.raw('attempts + 1'),
    lastMessage: toMessage(message),
    nextAttemptAt: db.raw('sync_now() + make_interval(secs => ?)', [delayMs / 1_000]),
  });
}
