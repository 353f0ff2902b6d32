import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { LEASE_SECONDS, ON_ENDED_LEASE, releaseAddress } from '@site/platform/outbox/address-lease';
import { toMessage } from '@site/platform/outbox/attempts';
import { isUsed } from '@site/platform/outbox/address-use';
import { IS_BLOCKED } from '@site/platform/sync-health';

/*
 * Mistyped addresses that the newsletter has still to unsubscribe. A row keeps the address until then. The address is
 * leased, so that a run in progress ends first.
 */

/** `isUsed`: somebody has submitted a form or subscribed with this address since. */
export type DueUnsubscribe = { id: string; emailNormalised: string; attempts: number; isUsed: boolean };

/** What an attempt found. */
type Found = { reason: Row<'unsubscribe_requests'>['reason']; message: string };
const toFound = ({ reason, message }: Found) => ({ reason, lastMessage: toMessage(message) });

const open = (db: Database, id: string) => db('unsubscribe_requests').where({ id }).whereNull('doneAt');

/** Claims the request that has been due longest, and leases its address. Returns null if none is due, or while paused. */
export async function claimDueUnsubscribe(db: Database, leasedBy: string): Promise<DueUnsubscribe | null> {
  const [due] = await query<DueUnsubscribe>(
    db,
    `with due as (
       select id, email_normalised, attempts, ${isUsed('request.email_normalised')} as is_used
       from unsubscribe_requests request
       where done_at is null and next_attempt_at <= sync_now() and (select not ${IS_BLOCKED} from sync_health) and not exists (
         select from address_leases lease where lease.email_normalised = request.email_normalised and lease.leased_until > sync_now()
       )
       order by next_attempt_at limit 1 for update of request skip locked
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

/** Marks a request as done, and deletes the address from it. */
export async function finishUnsubscribe(db: Database, id: string, leasedBy: string, answer: Found): Promise<void> {
  await db.transaction(async (trx) => {
    await releaseAddress(trx, leasedBy);
    await open(trx, id).update({
      doneAt: trx.raw('sync_now()'),
      emailNormalised: null,
      attempts: trx.raw('attempts + 1'),
      ...toFound(answer),
    });
  });
}

/** Makes a request due again after `delayMs`. */
export async function postponeUnsubscribe(db: Database, id: string, answer: Found, delayMs: number): Promise<void> {
  await open(db, id).update({
    attempts: db.raw('attempts + 1'),
    ...toFound(answer),
    nextAttemptAt: db.raw('sync_now() + make_interval(secs => ?)', [delayMs / 1_000]),
  });
}
