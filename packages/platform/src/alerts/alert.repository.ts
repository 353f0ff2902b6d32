import { OUTAGE_KINDS } from '@site/schema/sync-state';
import type { AlertKind, RecordedKind } from '@site/schema/sync-state';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { Row } from '../database/tables.ts';

export type OpenAlert = Row<'sync_alerts'>;

/** Lists the open alerts. `alertedAt` is null until the webhook has accepted the message. */
export async function listAlerts(db: Database): Promise<OpenAlert[]> {
  return db<OpenAlert>('sync_alerts').select();
}

/** Claims the message about an alert for 30 s. Returns false while another process sends one. */
export async function claimAlert(db: Database, kind: AlertKind): Promise<boolean> {
  const claimed = await query(
    db,
    `update sync_alerts set claimed_until = sync_now() + interval '30 seconds'
     where kind = ? and claimed_until <= sync_now() returning kind`,
    [kind],
  );
  return claimed.length > 0;
}

/** Records an ended outage of Stripe, once for all processes that saw it. No lead waits in it. */
export async function recordStripeOutage(db: Database, since: string): Promise<void> {
  await query(
    db,
    `insert into outages (since, kind, until, waited) select :since, :kind, sync_now(), 0
     where not exists (select from outages where kind = :kind and until > :since)`,
    { since, kind: 'stripe-unavailable' satisfies RecordedKind },
  );
}

/**
 * Closes an alert. One of a kind that stops sending becomes a recorded outage with its waiting
 * leads, counted up to 10,000: it is reported within seconds after its end.
 */
export async function closeAlert(db: Database, kind: AlertKind): Promise<void> {
  if (!OUTAGE_KINDS.some((each) => each === kind)) {
    await db('sync_alerts').where({ kind }).delete();
    return;
  }
  await query(
    db,
    `with closed as (delete from sync_alerts where kind = :kind returning kind, since)
     insert into outages (since, kind, until, waited)
     select since, kind, coalesce(ended, sync_now()), answered + pending from closed, lateral (
       select min(started_at) as ended from lead_sync_attempts
       -- A worker that has stopped was seen up to 10 s before, in which it may have sent leads. It
       -- is missed after 60 s.
       where started_at >= since + case closed.kind when 'no-worker' then interval '30 seconds' else interval '0' end
         -- While the sync is paused for refusals, what was under way and a probe are refused
         -- further.
         and (class = 'accepted' or (class = 'permanent' and closed.kind <> 'paused'))
         and kind in ('push', 'probe')
     ) ending, lateral (
       select count(distinct lead_id) as answered from (
         select lead_id from lead_sync_attempts
         where started_at >= ended and class in ('accepted', 'permanent') and kind in ('push', 'probe')
         order by started_at limit 10000
       ) attempts
     ) sent, (select coalesce(sum(leads), 0) as pending from lead_counts where beehiiv_status = 'pending') waiting
     on conflict do nothing`,
    { kind },
  );
}
