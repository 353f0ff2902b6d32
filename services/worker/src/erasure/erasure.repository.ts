import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { LEASE_SECONDS, ON_ENDED_LEASE, releaseAddress } from '@site/platform/outbox/address-lease';
import { IS_BLOCKED } from '@site/platform/sync-health';
import { toMessage } from '@site/platform/outbox/attempts';

/*
 * Erasures that the newsletter has still to carry out. A row keeps the address until then. An erasure leases the address,
 * so that a run in progress ends first, and no lead of that address is sent before the subscriber is deleted.
 * An hour later it looks again: a request that timed out here may still be carried out there.
 */

/** `isBack`: they were deleted, and have submitted a form since. */
export type DueErasure = { id: string; emailNormalised: string; attempts: number; isDeleted: boolean; isBack: boolean };

/** What an attempt found. */
type Found = { reason: Row<'erasures'>['reason']; message: string };
const toFound = ({ reason, message }: Found) => ({ reason, lastMessage: toMessage(message) });

const LOOK_AGAIN_MINUTES = 60;

const open = (db: Database, id: string) => db('erasures').where({ id }).whereNull('doneAt');

/**
 * Claims the erasure that has been due longest, and leases its address. Returns null if none is due, or if the sync is
 * paused: with a wrong publication, every subscriber would seem to be deleted.
 */
export async function claimDueErasure(db: Database, leasedBy: string): Promise<DueErasure | null> {
  const [due] = await query<DueErasure>(
    db,
    `with due as (
       select id, email_normalised, attempts, deleted_at is not null as is_deleted, deleted_at is not null and exists (
           select from leads where leads.email_normalised = erasures.email_normalised and beehiiv_status <> 'failed'
         ) as is_back
       from erasures
       where done_at is null and next_attempt_at <= sync_now() and (select not ${IS_BLOCKED} from sync_health) and not exists (
         select from address_leases lease where lease.email_normalised = erasures.email_normalised and lease.leased_until > sync_now()
       )
       order by next_attempt_at limit 1 for update skip locked
     ), lease as (
       insert into address_leases (email_normalised, leased_by, leased_until)
         select email_normalised, :leasedBy::uuid, sync_now() + make_interval(secs => :lease) from due
       ${ON_ENDED_LEASE} returning email_normalised
     )
     select due.* from due join lease using (email_normalised)`,
    { leasedBy, lease: LEASE_SECONDS },
  );
  return due ?? null;
}

/** Notes that the subscriber is deleted. Keeps the address until the second look. */
export async function markDeleted(db: Database, id: string, leasedBy: string, answer: Found): Promise<void> {
  await db.transaction(async (trx) => {
    await releaseAddress(trx, leasedBy);
    await open(trx, id).update({
      deletedAt: trx.raw('sync_now()'),
      nextAttemptAt: trx.raw('sync_now() + make_interval(mins => ?)', [LOOK_AGAIN_MINUTES]),
      attempts: trx.raw('attempts + 1'),
      ...toFound(answer),
    });
  });
}

/** Marks an erasure as done. Deletes the address from it, and what else holds the address. */
export async function finishErasure(
  db: Database,
  { id, emailNormalised }: DueErasure,
  leasedBy: string,
  answer: Found,
): Promise<void> {
  await db.transaction(async (trx) => {
    await releaseAddress(trx, leasedBy);
    for (const table of ['listed_subscribers', 'differences']) await trx(table).where({ emailNormalised }).delete();
    await open(trx, id).update({
      doneAt: trx.raw('sync_now()'),
      emailNormalised: null,
      attempts: trx.raw('attempts + 1'),
      ...toFound(answer),
    });
  });
}

/** Makes an erasure due again after `delayMs`. */
export async function postponeErasure(db: Database, id: string, answer: Found, delayMs: number): Promise<void> {
  await open(db, id).update({
    attempts: db.raw('attempts + 1'),
    ...toFound(answer),
    nextAttemptAt: db.raw('sync_now() + make_interval(secs => ?)', [delayMs / 1_000]),
  });
}
