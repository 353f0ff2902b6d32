import type { Database } from '@site/platform/database/connect';
import { judgePeople, lockPeople } from '@site/platform/people/person';
import { recordSubscribers } from '@site/platform/people/subscribers';
import { undoOwnUnsubscription } from '@site/platform/people/tier';
import type { Told } from '@site/platform/people/subscribers';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import { LEASE_SECONDS } from '@site/platform/outbox/email-lease';
import { toMessage } from '@site/platform/outbox/attempts';

/*
 * Emails that Beehiiv has yet to delete or unsubscribe. A row keeps its email until then. The email
 * is leased, so that a run in progress ends first. Its leads are not sent before the deletion.
 */

export type RequestKind = Row<'removal_requests'>['kind'];

/**
 * `isDeleted`: an erasure's second look. `isUsed`: somebody has since submitted a form or
 * subscribed.
 */
export type DueRequest = {
  id: string;
  emailNormalised: string;
  attempts: number;
  isDeleted: boolean;
  isUsed: boolean;
};

type Found = { reason: Row<'removal_requests'>['reason']; message: string };

/**
 * Claims the request that has been due longest, and leases its email. Returns null if none is due
 * or the sync is paused, because with a wrong publication every subscriber would seem absent.
 */
export async function claimDueRequest(
  db: Database,
  kind: RequestKind,
  leasedBy: string,
): Promise<DueRequest | null> {
  const [due] = await query<DueRequest>(
    db,
    `with due as materialized (
       select id, email_normalised, attempts, deleted_at is not null as is_deleted,
         case
           when kind = 'unsubscribe' then is_email_used(email_normalised)
           else deleted_at is not null and exists (
             select from leads
             where leads.email_normalised = request.email_normalised and beehiiv_status <> 'failed'
           )
         end as is_used
       from removal_requests request
       where kind = :kind and done_at is null and next_attempt_at <= sync_now()
         and (select not is_paused_by_setting from sync_health)
         and not exists (
           select from email_leases lease
           where lease.email_normalised = request.email_normalised
             and lease.leased_until > sync_now()
         )
       order by next_attempt_at
       limit 1
       for update of request skip locked
     )
     select * from due where lease_email(email_normalised, :leasedBy, :lease)`,
    { kind, leasedBy, lease: LEASE_SECONDS },
  );
  return due ?? null;
}

/**
 * Records an attempt, and makes the request due again after `delayMs`. `isDeleted`: the subscriber
 * is already deleted.
 */
export async function postponeRequest(
  db: Database,
  id: string,
  { reason, message }: Found,
  { delayMs, isDeleted = false }: { delayMs: number; isDeleted?: boolean },
): Promise<void> {
  await db('removal_requests')
    .where({ id })
    .whereNull('doneAt')
    .update({
      reason,
      lastMessage: toMessage(message),
      attempts: db.raw('attempts + 1'),
      nextAttemptAt: db.raw('sync_now() + make_interval(secs => ?)', [delayMs / 1_000]),
      ...(isDeleted && { deletedAt: db.raw('sync_now()') }),
    });
}

/** Returns true if a lead or a live subscription has the email. */
export async function isEmailUsed(db: Database, emailNormalised: string): Promise<boolean> {
  const sql = 'select is_email_used(:emailNormalised) as is_used';
  return (await queryOne<{ isUsed: boolean }>(db, sql, { emailNormalised })).isUsed;
}

/**
 * Marks a request as done. Deletes its email and, for an erasure, everything else that holds the
 * email. `told` is Beehiiv's answer about an unsubscription, and whether it was our request that
 * ended the subscription.
 */
export async function finishRequest(
  db: Database,
  kind: RequestKind,
  { id, emailNormalised }: DueRequest,
  { reason, message }: Found,
  told: (Pick<Told, 'id' | 'status'> & { isOurs: boolean }) | null = null,
): Promise<void> {
  await db.transaction(async (trx) => {
    await lockPeople(trx, [emailNormalised]);
    await query(trx, 'select close_dead_attempts(:emailNormalised)', { emailNormalised });
    if (kind === 'erasure') await trx('differences').where({ emailNormalised }).delete();
    if (told) {
      const { isOurs, ...answer } = told;
      await recordSubscribers(trx, [{ email: emailNormalised, ...answer }]);
      if (isOurs) {
        await trx('people')
          .where({ emailNormalised, status: 'inactive' })
          .update({ unsubscribedByUsAt: trx.raw('sync_now()') });
        if (await isGivenBack(trx, emailNormalised))
          await undoOwnUnsubscription(trx, emailNormalised);
      }
    }
    await trx('removal_requests')
      .where({ id })
      .whereNull('doneAt')
      .update({
        doneAt: trx.raw('sync_now()'),
        emailNormalised: null,
        reason,
        lastMessage: toMessage(message),
        attempts: trx.raw('attempts + 1'),
      });
    await judgePeople(trx, [emailNormalised]);
  });
}

/**
 * Returns true if an operator moved a lead to the email, or gave it free access, while our request
 * to unsubscribe it was under way. That act could not undo the unsubscription yet (rule 3.7h).
 */
async function isGivenBack(trx: Database, emailNormalised: string): Promise<boolean> {
  const found = await query(
    trx,
    `select from people where email_normalised = :emailNormalised and tier = 'premium'
     union all
     select from leads join former_emails on lead_id = leads.id
     where leads.email_normalised = :emailNormalised
     limit 1`,
    { emailNormalised },
  );
  return found.length > 0;
}
