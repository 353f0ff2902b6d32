import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { closeAlert, listAlerts, markAlerted, openAlert, readSyncTime } from './alert.repository.ts';
import type { OpenAlert } from './alert.repository.ts';
import { readSyncHealth } from '@site/platform/sync-health';
import { readBacklog } from '@site/platform/outbox/pending';
import { withTimeout } from '@site/platform/with-timeout';
import { runExclusively } from '../run-exclusively.ts';
import axios from 'axios';
import { findConditions } from './alert.policy.ts';
import type { Condition } from './alert.policy.ts';

export type AlertDeps = { db: Database; log: Logger; webhookUrl: string | null; maxPendingMs: number };

/** The body of the webhook's request. Chat programs show `text`. Holds no personal data. */
export type AlertMessage = {
  event: OpenAlert['kind'] | 'recovered';
  of?: OpenAlert['kind'];
  since: string;
  text: string;
};

const HOOK_TIMEOUT_MS = 5_000;

/**
 * Sends the webhook what has gone wrong since the last check, and what has recovered. One process does it at a time. A
 * message that is not delivered is sent again at the next check.
 */
export async function checkAlerts(deps: AlertDeps): Promise<void> {
  await runExclusively(deps.db, 'alerts', async (trx) => {
    const [health, backlog, now, open] = [
      await readSyncHealth(trx),
      await readBacklog(trx),
      await readSyncTime(trx),
      await listAlerts(trx),
    ];
    const conditions = findConditions(health, backlog, now, deps.maxPendingMs);
    for (const condition of conditions) await scloseAlert(deps, trx, condition, open);
    for (const alert of open) {
      if (!conditions.some(({ kind }) => kind === alert.kind)) await sendRecovery(deps, trx, alert);
    }
  });
}

async function scloseAlert(
  deps: AlertDeps,
  trx: Database,
  { kind, since, text }: Condition,
  open: OpenAlert[],
): Promise<void> {
  const known = open.find((alert) => alert.kind === kind);
  if (known?.alertedAt) return;
  if (!known) {
    await openAlert(trx, kind, since);
    deps.log.error({ alert: kind, since }, 'alert opened');
  }
  if (await deliver(deps, { event: kind, since: since.toISOString(), text })) await markAlerted(trx, kind);
}

async function sendRecovery(deps: AlertDeps, trx: Database, { kind, since, alertedAt }: OpenAlert): Promise<void> {
  const message = { event: 'recovered', of: kind, since: since.toISOString(), text: `Recovered: ${kind}.` } as const;
  // If the alert was never delivered, its recovery is not news.
  if (alertedAt && !(await deliver(deps, message))) return;
  await closeAlert(trx, kind);
  deps.log.info({ alert: kind }, 'alert closed');
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
