import { CONDITIONS, OUTAGE_KINDS, toAlertPage } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { query, runExclusively } from '../database/query.ts';
import type { Logger } from '../process/logger.ts';
import { withTimeout } from '../process/with-timeout.ts';
import { findAlerts } from './find-alerts.ts';
import type { AlertOptions } from './find-alerts.ts';
import { kindOf, storeNotices, toWhat } from './notices.ts';

export type WebhookDeps = { db: Database; log: Logger; webhookUrl: string | null };

/** The body of the webhook's request. Chat programs show `text`. Holds no personal data. */
export type AlertMessage = {
  event: ConditionKind | 'recovered';
  of?: ConditionKind;
  since: string;
  text: string;
};

const HOOK_TIMEOUT_MS = 5_000;

type Due = {
  what: string;
  text: string;
  since: Date;
  attempts: number;
  isTold: boolean;
  isOver: boolean;
};

/**
 * Tells the webhook the conditions that began and ended since the last check. Every process checks,
 * and one sends each message. An undelivered message is sent again at the next check.
 */
export async function tellWebhook(deps: WebhookDeps & AlertOptions): Promise<void> {
  const due = await runExclusively(deps.db, 'webhook', async (trx) => {
    const alerts = await findAlerts(trx, deps);
    await storeNotices(
      trx,
      'webhook',
      alerts.map((alert) => ({ ...alert, what: toWhat(alert) })),
    );
    return query<Due>(
      trx,
      `update notices set due_at = sync_now() + interval '30 seconds', attempts = attempts + 1
       where channel = 'webhook' and due_at <= sync_now()
         and (resolved_at is not null or sent_at is null or sent_at < noticed_at)
       returning what, text, since, attempts, sent_at is not null as is_told,
         resolved_at is not null as is_over`,
    );
  });
  // After the commit, because the webhook may be slow.
  await Promise.all((due ?? []).map((notice) => send(deps, notice)));
}

async function send(deps: WebhookDeps, { what, text, isTold, isOver, ...due }: Due): Promise<void> {
  const { db, log } = deps;
  const kind = kindOf(what);
  const since = due.since.toISOString();
  if (!isOver && due.attempts === 1) log.error({ alert: what, since }, 'alert opened');
  // If the alert was never delivered, its recovery is not news.
  const isDelivered =
    (isOver && !isTold) ||
    (await deliver(deps, isOver ? toRecovery(kind, since) : { event: kind, since, text }));
  if (isDelivered && isOver) {
    await close(db, what);
    log.info({ alert: what }, 'alert closed');
    return;
  }
  // Otherwise the next check sends the message again.
  const sentAt = isDelivered && { sentAt: db.raw('sync_now()') };
  await db('notices')
    .where({ channel: 'webhook', what })
    .update({ ...sentAt, dueAt: '-infinity' });
}

export const toRecovery = (kind: ConditionKind, since: string): AlertMessage => ({
  event: 'recovered',
  of: kind,
  since,
  text: CONDITIONS[kind].end ?? `Recovered: ${kind}.`,
});

/**
 * Sends a message to the webhook, with the page that explains it. Returns false if it was not
 * accepted.
 */
export async function deliver(
  { webhookUrl, log }: Pick<WebhookDeps, 'webhookUrl' | 'log'>,
  message: AlertMessage,
): Promise<boolean> {
  if (webhookUrl === null) return true;
  try {
    const headers = { 'Content-Type': 'application/json' };
    // A recovery names its alert.
    const runbook = toAlertPage((message.of ?? message.event) as ConditionKind);
    const request = { method: 'POST', headers, body: JSON.stringify({ ...message, runbook }) };
    const answer = await withTimeout(HOOK_TIMEOUT_MS, ({ signal }) =>
      fetch(webhookUrl, { ...request, signal }),
    );
    await answer.body?.cancel();
    if (answer.ok) return true;
    log.warn({ alert: message.event, status: answer.status }, 'alert webhook refused the message');
  } catch (err) {
    log.warn({ err, alert: message.event }, 'alert webhook failed');
  }
  return false;
}

/** Records an ended Stripe outage, once for all processes that saw it. No lead waits for Stripe. */
export async function recordStripeOutage(db: Database, since: string): Promise<void> {
  await query(
    db,
    `insert into outages (since, kind, until, waited) select :since, :kind, sync_now(), 0
     where not exists (select from outages where kind = :kind and until > :since)`,
    { since, kind: 'stripe-unavailable' satisfies ConditionKind },
  );
}

/**
 * Closes an alert. A stop in sending becomes a recorded outage with its waiting leads. They are
 * counted up to 10,000, so that the report follows within seconds.
 */
async function close(db: Database, what: string): Promise<void> {
  if (!OUTAGE_KINDS.includes(kindOf(what))) {
    await db('notices').where({ channel: 'webhook', what }).delete();
    return;
  }
  await query(
    db,
    `with closed as (
       delete from notices where channel = 'webhook' and what = :what
       returning what as kind, since
     )
     insert into outages (since, kind, until, waited)
     select since, kind, coalesce(ended, sync_now()), answered + pending from closed, lateral (
       select min(started_at) as ended from lead_sync_attempts
       -- A worker may have sent leads for up to 10 s after it was last seen. It is missed after
       -- 60 s.
       where started_at >= since + case closed.kind when 'no-worker' then interval '30 seconds'
         else interval '0' end
         -- During a refusal pause, running attempts and probes are still refused.
         and (class = 'accepted' or (class = 'permanent' and closed.kind <> 'paused'))
         and kind in ('push', 'probe')
     ) ending, lateral (
       select count(distinct lead_id) as answered from (
         select lead_id from lead_sync_attempts
         where started_at >= ended and class in ('accepted', 'permanent')
           and kind in ('push', 'probe')
         order by started_at limit 10000
       ) attempts
     ) sent,
     (
       select coalesce(sum(leads), 0) as pending
       from lead_counts
       where beehiiv_status = 'pending'
     ) waiting
     on conflict do nothing`,
    { what },
  );
}
