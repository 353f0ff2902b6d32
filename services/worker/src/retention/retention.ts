import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { lockPeopleOf, MAX_LOCKED } from '@site/platform/people/person';
import { CHANGES_KEPT_MS } from '@site/platform/live/live-changes';

/** Rows per statement, few enough that nothing waits long for their locks. */
const BATCH = 1_000;

/** Attempts of the last round stay, because they explain the lead's status. */
const EARLIER_ATTEMPT_DAYS = 180;

/** The days for which personal data is kept. Null keeps it. */
export type Retention = {
  networkDataDays: number;
  abandonedCheckoutDays: number;
  failedLeadDays: number | null;
};

/** Failed leads that never paid: the oldest, or those of `ids`. */
const OLD_FAILED_LEADS = `
  select id, email_normalised
  from leads, (select sync_now() - make_interval(days => :days) as until) past
  -- A lead fails with its last attempt, or when it is stored or retried. Later changes to the row
  -- do not count.
  where beehiiv_status = 'failed' and submitted_at < until and round_started_at < until
    and (:ids::uuid[] is null or id = any(:ids::uuid[]))
    and not exists (
      select from lead_sync_attempts
      where lead_id = leads.id and started_at >= until
    )
    and not exists (select from subscriptions where lead_id = leads.id)
    and not exists (
      select from people
      where people.email_normalised = leads.email_normalised and tier = 'premium'
    )
  order by submitted_at
  limit :batch`;

/**
 * Deletes failed leads that never paid, with their sample requests, and all we know of people
 * without another lead. Spares an email with a live subscription or free access, because it is
 * entitled to the paid issue, and only its lead can be sent. Returns the number of leads found.
 */
async function deleteFailedLeads(db: Database, days: number): Promise<number> {
  return db.transaction(async (trx) => {
    const find = (ids: string[] | null) =>
      query<{ id: string; emailNormalised: string }>(trx, OLD_FAILED_LEADS, {
        days,
        ids,
        batch: MAX_LOCKED,
      });
    const found = (await find(null)).map(({ id }) => id);
    await lockPeopleOf(trx, found);
    // They may have been retried or paid before the lock.
    const old = await find(found);
    const ids = old.map(({ id }) => id);
    await trx('sample_requests').whereIn('leadId', ids).delete();
    await trx('leads').whereIn('id', ids).delete();
    return found.length;
  });
}

/**
 * Deletes expired data in batches. A failing step stops no other, and its error is thrown at the
 * end. A pending lead is never deleted.
 */
export async function deleteOldData(
  { db, retention }: { db: Database; retention: Retention },
  signal: AbortSignal,
): Promise<void> {
  const { networkDataDays, abandonedCheckoutDays, failedLeadDays } = retention;
  const ago = (days: number) => db.raw('sync_now() - make_interval(days => ?)', [days]);
  /** Selects a batch of the rows from before a time, the oldest first. */
  const oldest = (
    table: string,
    key: string | string[],
    [at, until]: [column: string, until: ReturnType<typeof ago>],
    condition = 'true',
  ) =>
    db(table).whereIn(
      key as string,
      db(table)
        .select(key)
        .where(at, '<', until)
        .whereRaw(condition)
        .orderBy(at)
        .limit(BATCH)
        .forUpdate()
        .skipLocked(),
    );
  const inBatches = (change: () => PromiseLike<number>) => async () => (await change()) === BATCH;
  /** Each deletes a batch. Returns true if there may be more. */
  const steps: (() => Promise<boolean>)[] = [
    inBatches(() =>
      oldest(
        'leads',
        'id',
        ['submittedAt', ago(networkDataDays)],
        '(ip_address is not null or user_agent is not null)',
      ).update({ ipAddress: null, userAgent: null }),
    ),
    // Removes the client's network from logins, and names that no operator has. The logins stay.
    inBatches(() =>
      oldest('logins', 'id', ['at', ago(networkDataDays)], 'client is not null').update({
        client: null,
        account: db.raw(
          'case when coalesce(operator, subject, device) is not null then account end',
        ),
      }),
    ),
    inBatches(() =>
      oldest(
        'checkouts',
        'id',
        ['startedAt', ago(abandonedCheckoutDays)],
        `state in ('abandoned', 'payment-failed', 'not-opened')
           and (email is not null or recovery_url is not null)`,
      ).update({
        email: null,
        recoveryUrl: null,
        isSettled: db.raw(
          'not exists (select from abandoned_checkouts lost where lost.id = checkouts.id)',
        ),
      }),
    ),
    // Stripe never reported the end of these checkouts.
    inBatches(() =>
      oldest(
        'checkouts',
        'id',
        ['startedAt', ago(abandonedCheckoutDays)],
        `state = 'open'`,
      ).delete(),
    ),
    async () =>
      failedLeadDays !== null && (await deleteFailedLeads(db, failedLeadDays)) === MAX_LOCKED,
    inBatches(() => {
      const earlier = db('leads')
        .join('lead_sync_attempts as attempt', 'attempt.leadId', 'leads.id')
        .where({ beehiivStatus: 'sent' })
        .whereRaw('sync_round > 1 and attempt.round < sync_round')
        .where('attempt.startedAt', '<', ago(EARLIER_ATTEMPT_DAYS));
      return db('lead_sync_attempts')
        .whereIn('id', earlier.select('attempt.id').limit(BATCH))
        .delete();
    }),
    inBatches(() => oldest('submission_keys', 'key', ['until', db.raw('sync_now()')]).delete()),
    // Forgets the mistyped emails that we unsubscribed.
    inBatches(() =>
      oldest('people', 'emailNormalised', ['unsubscribedByUsAt', ago(30)]).update({
        unsubscribedByUsAt: null,
      }),
    ),
    // Two years and a month, so that a month has the same month of two years before beside it.
    inBatches(() =>
      oldest(
        'visits',
        ['day', 'part', 'name'],
        ['day', db.raw(`(sync_now() at time zone 'Europe/London')::date - interval '25 months'`)],
      ).delete(),
    ),
    inBatches(() =>
      oldest('live_changes', 'id', [
        'at',
        db.raw('clock_timestamp() - make_interval(secs => ?)', [CHANGES_KEPT_MS / 1_000]),
      ]).delete(),
    ),
  ];
  const errors: unknown[] = [];
  for (const deleteBatch of steps) {
    try {
      while (!signal.aborted && (await deleteBatch()));
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not all old data was deleted');
}
