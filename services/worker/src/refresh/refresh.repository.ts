import type { Database } from '@site/platform/database/connect';

/*
 * Accepted is not confirmed: what the newsletter itself says of a subscriber is read again and again, ever
 * more slowly. No lead's status changes by it.
 */

/** Whoever takes a look-up has this long for it before another may. */
const LOOK_UP_MINUTES = 10;

export type DueRefresh = { emailNormalised: string; sentAgeMs: number };

/** Takes the subscriber whose look-up is due longest, for this caller alone; null when none is. */
export async function claimDueRefresh(db: Database): Promise<DueRefresh | null> {
  const { rows } = await db.raw(
    `update leads set subscriber_check_due_at = sync_now() + make_interval(mins => ${LOOK_UP_MINUTES})
     where id = (
       select id from leads where subscriber_check_due_at <= sync_now()
       order by subscriber_check_due_at limit 1 for update skip locked
     )
     returning email_normalised, extract(epoch from sync_now() - coalesce(beehiiv_sent_at, submitted_at)) * 1000 as sent_age_ms`,
  );
  const [row] = rows;
  return row ? { emailNormalised: row.emailNormalised, sentAgeMs: Number(row.sentAgeMs) } : null;
}

/** Keeps what the newsletter says of a subscriber on all their sent leads, and when to ask again. Absent subscribers keep their last status. */
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
