import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/** How long one look-up may take before another worker may try it. */
const LOOK_UP_MINUTES = 10;

/** After this time, a status is left to the nightly comparison, which reads a hundred with one request. */
const LOOKED_UP_FOR = `interval '2 days'`;

/** Statuses that may soon change. As in the index `leads_to_refresh`. */
const IS_UNSETTLED = `subscriber_status in ('validating', 'pending', 'needs_attention')`;

export type DueRefresh = { emailNormalised: string; askedAt: Date };

/**
 * Claims the unsettled status whose look-up has been due longest. Returns null if none is due, or while a comparison reads
 * them all: background work shares one slot in five.
 */
export async function claimDueRefresh(db: Database): Promise<DueRefresh | null> {
  const [due] = await query<DueRefresh>(
    db,
    `update leads set subscriber_check_due_at = sync_now() + make_interval(mins => ${LOOK_UP_MINUTES})
     where id = (
       select id from leads where ${IS_UNSETTLED} and subscriber_check_due_at <= sync_now()
         and coalesce(beehiiv_sent_at, submitted_at) > sync_now() - ${LOOKED_UP_FOR} - interval '1 day'
         and not exists (select from comparison where leased_until > sync_now())
       order by subscriber_check_due_at limit 1 for update skip locked
     )
     returning email_normalised, sync_now() as asked_at`,
  );
  return due ?? null;
}

/**
 * Stores a status asked for at `askedAt` on all sent leads of the subscriber, unless a newer one is known. The next
 * look-up is due when the lead is twice as old, and after two days never. An absent subscriber keeps the last status.
 */
export async function recordRefresh(
  db: Database,
  { emailNormalised, askedAt }: DueRefresh,
  subscriber: { id: string; status: string } | null,
): Promise<void> {
  await query(
    db,
    `update leads set subscriber_id = coalesce(:id, subscriber_id), subscriber_status = coalesce(:status, subscriber_status),
       subscriber_checked_at = :askedAt, subscriber_check_due_at = case
         when coalesce(beehiiv_sent_at, submitted_at) > sync_now() - ${LOOKED_UP_FOR}
         then sync_now() + (sync_now() - coalesce(beehiiv_sent_at, submitted_at)) end
     where email_normalised = :emailNormalised and beehiiv_status = 'sent'
       and (subscriber_checked_at is null or subscriber_checked_at <= :askedAt)`,
    { emailNormalised, askedAt, id: subscriber?.id ?? null, status: subscriber?.status ?? null },
  );
}
