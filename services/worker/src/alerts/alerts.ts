import type { Database } from '@site/platform/database/connect';
import type { AlertKind } from '@site/platform/database/tables';
import type { Logger } from '@site/platform/logger';
import {
  claimAlert,
  closeAlert,
  listAlerts,
  markAlerted,
  openAlert,
  readFailed,
  readSyncTime,
  releaseAlert,
} from './alert.repository.ts';
import { readSyncHealth } from '@site/platform/sync-health';
import { readMoneyFaults } from '@site/platform/money-health';
import { readBacklog } from '@site/platform/outbox/pending';
import { withTimeout } from '@site/platform/with-timeout';
import { runExclusively } from '../run-exclusively.ts';
import axios from 'axios';
import { findConditions } from './alert.policy.ts';

export type AlertDeps = { db: Database; log: Logger; webhookUrl: string | null; maxPendingMs: number };

/** The body of the webhook's request. Chat programs show `text`. Holds no personal data. */
export type AlertMessage = { event: AlertKind | 'recovered'; of?: AlertKind; since: string; text: string };

const HOOK_TIMEOUT_MS = 5_000;

/**
 * Sends the webhook what has gone wrong since the last check, and what has recovered. One process sends a message. One
 * that is not delivered is sent again at the next check.
 */
export async function checkAlerts(deps: AlertDeps): Promise<void> {
  const messages = await runExclusively(deps.db, 'alerts', (trx) => claimMessages(deps, trx));
  // After the commit, because the webhook may be slow.
  await Promise.all((messages ?? []).map((message) => send(deps, message)));
}

async function claimMessages({ log, maxPendingMs }: AlertDeps, trx: Database): Promise<AlertMessage[]> {
  const situation = {
    health: await readSyncHealth(trx),
    backlog: await readBacklog(trx),
    failed: await readFailed(trx),
    money: await readMoneyFaults(trx),
    now: await readSyncTime(trx),
  };
  const conditions = findConditions(situation, maxPendingMs);
  const known = await listAlerts(trx);
  for (const { kind, since, isExplained } of conditions) {
    if (isExplained || known.some((alert) => alert.kind === kind)) continue;
    await openAlert(trx, kind, since);
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
          : { event: 'recovered', of: kind, since, text: describeEnd(kind) },
      );
    }
  }
  return messages;
}

const describeEnd = (kind: AlertKind) =>
  kind === 'leads-failed' ? 'No lead has failed in the last hour.' : `Recovered: ${kind}.`;

async function send(deps: AlertDeps, message: AlertMessage): Promise<void> {
  const { db, log } = deps;
  const kind = message.of ?? (message.event as AlertKind);
  if (!(await deliver(deps, message))) return releaseAlert(db, kind);
  if (message.event !== 'recovered') return markAlerted(db, kind);
  await closeAlert(db, kind);
  log.info({ alert: kind }, 'alert closed');
}

async function deliver({ webhookUrl, log }: AlertDeps, message: AlertMessage): Promise<boolean> {
  if (webhookUrl === null) return true;
  try {
    await withTimeout(HOOK_TIMEOUT_MS, ({ signal }) => axios.post(webhookUrl, message, { signal, proxy: false }));
    return true;
  } catch (err) {
    log.warn({ err, alert: message.event }, 'alert webhook failed');
    return false;
  }
}
