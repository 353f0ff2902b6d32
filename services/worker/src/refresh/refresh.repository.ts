import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/** How long one look-up may take before another worker may try it. */
const LOOK_UP_MINUTES = 10;

export type DueRefresh = { emailNormalised: string; sentAgeMs: number };

/** Claims the subscriber whose status check has been due longest. Returns null if none is due. */
export async function claimDueRefresh(db: Database): Promise<DueRefresh | null> {
  const [due] = await query<DueRefresh>(
    db,
    `update leads set subscriber_check_due_at = sync_now() + make_interval(mins => ${LOOK_UP_MINUTES})
     where id = (
       select id from leads where subscriber_check_due_at <= sync_now()
       order by subscriber_check_due_at limit 1 for update skip locked
     )
     returning email_normalised,
       (extract(epoch from sync_now() - coalesce(beehiiv_sent_at, submitted_at)) * 1000)::float8 as sent_age_ms`,
  );
  return due ?? null;
}

/** Stores a subscriber's status on all their sent leads, and when to check next. An absent subscriber keeps the last status. */
export async function recordRefresh(
  db: Database,
  emailNormalised: string,
  subscriber: { id: string; status: string } | null,
  nextCheckMs: number,
): Promise<void> {
  await db('leads')
    .where({ emailNormalised, beehiivStatus: 'sent' })
    .update({
      ...(subscriber ? { subscriberId: subscriber.id, subscriberStatus: subscriber.status } : {}),
      subscriberCheckedAt: db.raw('sync_now()'),
      subscriberCheckDueAt: db.raw('sync_now() + make_interval(secs => ?)', [nextCheckMs / 1_000]),
    });
}
