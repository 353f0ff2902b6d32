import type { AlertKind } from '@site/schema/sync-state';
import type { Database } from '../database/connect.ts';
import { runExclusively } from '../database/run-exclusively.ts';
import type { Logger } from '../process/logger.ts';
import { withTimeout } from '../process/with-timeout.ts';
import { claimAlert, closeAlert, listAlerts } from './alert.repository.ts';

/**
 * A fault. `isNews: false` conditions stay open without an alert: they are too new, or another one
 * explains them.
 */
export type AlertCondition = {
  kind: AlertKind;
  since: Date;
  text: string;
  isNews?: boolean;
};

export type AlertDeps = { db: Database; log: Logger; webhookUrl: string | null };

/** The body of the webhook's request. Chat programs show `text`. Holds no personal data. */
export type AlertMessage = {
  event: AlertKind | 'recovered';
  of?: AlertKind;
  since: string;
  text: string;
};

const HOOK_TIMEOUT_MS = 5_000;

const ENDS: Partial<Record<AlertKind, string>> = {
  'leads-failed': 'No lead has failed in the last hour.',
  'mail-failing': 'Emails about what needs attention are sent again.',
  'no-worker': 'A worker is running again.',
  'cannot-write': 'Postgres can be written again. New leads are stored.',
  'redis-unavailable': 'Redis answers again. Leads are sent.',
  'stripe-unavailable': 'Stripe answers again. Visitors can subscribe.',
};

export const toRecovery = (kind: AlertKind) => ENDS[kind] ?? `Recovered: ${kind}.`;

/**
 * Sends the webhook the faults and recoveries since the last check. One process sends each message.
 * An undelivered message is sent again at the next check.
 */
export async function reportConditions(
  deps: AlertDeps,
  find: (trx: Database) => Promise<AlertCondition[]>,
): Promise<void> {
  const messages = await runExclusively(deps.db, 'alerts', async (trx) =>
    claimMessages(deps, await find(trx), trx),
  );
  // After the commit, because the webhook may be slow.
  await Promise.all((messages ?? []).map((message) => send(deps, message)));
}

async function claimMessages(
  { log }: AlertDeps,
  conditions: AlertCondition[],
  trx: Database,
): Promise<AlertMessage[]> {
  const known = await listAlerts(trx);
  for (const { kind, since, isNews = true } of conditions) {
    if (!isNews || known.some((alert) => alert.kind === kind)) continue;
    await trx('sync_alerts').insert({ kind, since });
    log.error({ alert: kind, since }, 'alert opened');
  }
  const messages: AlertMessage[] = [];
  for (const { kind, since: openSince, alertedAt } of await listAlerts(trx)) {
    const condition = conditions.find((each) => each.kind === kind);
    if (condition && alertedAt) continue;
    // If the alert was never delivered, its recovery is not news.
    if (!condition && !alertedAt) await closeAlert(trx, kind);
    else if (await claimAlert(trx, kind)) {
      const since = openSince.toISOString();
      messages.push(
        condition
          ? { event: kind, since, text: condition.text }
          : { event: 'recovered', of: kind, since, text: toRecovery(kind) },
      );
    }
  }
  return messages;
}

async function send(deps: AlertDeps, message: AlertMessage): Promise<void> {
  const { db, log } = deps;
  const kind = message.of ?? (message.event as AlertKind);
  const isDelivered = await deliver(deps, message);
  if (isDelivered && message.event === 'recovered') {
    await closeAlert(db, kind);
    log.info({ alert: kind }, 'alert closed');
    return;
  }
  // Otherwise the next check sends the message again.
  const alertedAt = isDelivered && { alertedAt: db.raw('sync_now()') };
  await db('sync_alerts')
    .where({ kind })
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
    const runbook = `docs/alerts/${message.of ?? message.event}.md`;
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
