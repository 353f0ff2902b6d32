import { CONDITIONS, OUTAGE_KINDS, toAlertPage } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { query, runExclusively } from '../database/query.ts';
import type { Row } from '../database/tables.ts';
import type { Logger } from '../process/logger.ts';
import { withTimeout } from '../process/with-timeout.ts';

/**
 * A failure. `isNews: false` conditions stay open without an alert, because they are too new or
 * another condition explains them.
 */
export type AlertCondition = {
  kind: ConditionKind;
  /**
   * Set for kinds with several causes. Each cause has its own alert, so that none hides another.
   */
  cause?: string;
  since: Date;
  text: string;
  isNews?: boolean;
};

type AlertKey = Row<'sync_alerts'>['kind'];

/** The name of a condition in `sync_alerts`. */
export const toAlertKey = ({ kind, cause }: Pick<AlertCondition, 'kind' | 'cause'>): AlertKey =>
  cause ? `${kind} ${cause}` : kind;

/** Returns the kind of an alert. */
const kindOf = (key: AlertKey) => key.split(' ')[0] as ConditionKind;

export type AlertDeps = { db: Database; log: Logger; webhookUrl: string | null };

/** The body of the webhook's request. Chat programs show `text`. Holds no personal data. */
export type AlertMessage = {
  event: ConditionKind | 'recovered';
  of?: ConditionKind;
  since: string;
  text: string;
};

const HOOK_TIMEOUT_MS = 5_000;

export const toRecovery = (kind: ConditionKind) => CONDITIONS[kind].end ?? `Recovered: ${kind}.`;

/**
 * Sends the webhook the failures and recoveries since the last check. One process sends each
 * message. An undelivered message is sent again at the next check.
 */
export async function reportConditions(
  deps: AlertDeps,
  find: (trx: Database) => Promise<AlertCondition[]>,
): Promise<void> {
  const messages = await runExclusively(deps.db, 'alerts', async (trx) =>
    claimMessages(deps, await find(trx), trx),
  );
  // After the commit, because the webhook may be slow.
  await Promise.all((messages ?? []).map((claimed) => send(deps, claimed)));
}

type Claimed = { key: AlertKey; message: AlertMessage };

async function claimMessages(
  { log }: AlertDeps,
  conditions: AlertCondition[],
  trx: Database,
): Promise<Claimed[]> {
  const known = await listAlerts(trx);
  for (const { since, isNews = true, ...condition } of conditions) {
    const key = toAlertKey(condition);
    if (!isNews || known.some((alert) => alert.kind === key)) continue;
    await trx('sync_alerts').insert({ kind: key, since });
    log.error({ alert: key, since }, 'alert opened');
  }
  const messages: Claimed[] = [];
  for (const { kind: key, since: openSince, alertedAt } of await listAlerts(trx)) {
    const condition = conditions.find((each) => toAlertKey(each) === key);
    if (condition && alertedAt) continue;
    // If the alert was never delivered, its recovery is not news.
    if (!condition && !alertedAt) await closeAlert(trx, key);
    else if (await claimAlert(trx, key)) {
      const since = openSince.toISOString();
      const kind = kindOf(key);
      messages.push({
        key,
        message: condition
          ? { event: kind, since, text: condition.text }
          : { event: 'recovered', of: kind, since, text: toRecovery(kind) },
      });
    }
  }
  return messages;
}

async function send(deps: AlertDeps, { key, message }: Claimed): Promise<void> {
  const { db, log } = deps;
  const isDelivered = await deliver(deps, message);
  if (isDelivered && message.event === 'recovered') {
    await closeAlert(db, key);
    log.info({ alert: key }, 'alert closed');
    return;
  }
  // Otherwise the next check sends the message again.
  const alertedAt = isDelivered && { alertedAt: db.raw('sync_now()') };
  await db('sync_alerts')
    .where({ kind: key })
    .update({ ...alertedAt, claimedUntil: '-infinity' });
}

/**
 * Sends a message to the webhook, with the page that explains it. Returns false if it was not
 * accepted.
 */
export async function deliver(
  { webhookUrl, log }: Pick<AlertDeps, 'webhookUrl' | 'log'>,
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

export type OpenAlert = Row<'sync_alerts'>;

/** Lists the open alerts. `alertedAt` is null until the webhook has accepted the message. */
export async function listAlerts(db: Database): Promise<OpenAlert[]> {
  return db<OpenAlert>('sync_alerts').select();
}

/** Claims the message about an alert for 30 s. Returns false while another process sends one. */
async function claimAlert(db: Database, kind: AlertKey): Promise<boolean> {
  const claimed = await query(
    db,
    `update sync_alerts set claimed_until = sync_now() + interval '30 seconds'
     where kind = ? and claimed_until <= sync_now() returning kind`,
    [kind],
  );
  return claimed.length > 0;
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
async function closeAlert(db: Database, kind: AlertKey): Promise<void> {
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
    { kind },
  );
}
