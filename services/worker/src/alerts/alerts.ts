import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { endAlert, listAlerts, markAlerted, raiseAlert, readSyncTime } from './alert.repository.ts';
import type { OpenAlert } from './alert.repository.ts';
import { readSyncHealth } from '@site/platform/sync-health';
import { readBacklog } from '@site/platform/outbox/pending';
import { withTimeout } from '@site/platform/with-timeout';
import { runExclusively } from '../run-exclusively.ts';
import axios from 'axios';
import { findConditions } from './alert.policy.ts';
import type { Condition } from './alert.policy.ts';

export type AlertDeps = { db: Database; log: Logger; webhookUrl: string | null; maxPendingMs: number };

/** What the hook gets. `text` makes it readable as it is in the usual chat programs. Holds no personal data. */
export type AlertMessage = {
  event: OpenAlert['kind'] | 'recovered';
  of?: OpenAlert['kind'];
  since: string;
  text: string;
};

const HOOK_TIMEOUT_MS = 5_000;

/**
 * Tells the hook of what has gone wrong since the last look, and of what is well again. One process at a
 * time; a message that could not be delivered is tried again at the next look.
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
    for (const condition of conditions) await tellOf(deps, trx, condition, open);
    for (const alert of open) {
      if (!conditions.some(({ kind }) => kind === alert.kind)) await alertEnd(deps, trx, alert);
    }
  });
}

async function tellOf(
  deps: AlertDeps,
  trx: Database,
  { kind, since, text }: Condition,
  open: OpenAlert[],
): Promise<void> {
  const known = open.find((alert) => alert.kind === kind);
  if (known?.alertedAt) return;
  if (!known) {
    await raiseAlert(trx, kind, since);
    deps.log.error({ alert: kind, since }, 'alert raised');
  }
  if (await deliver(deps, { event: kind, since: since.toISOString(), text })) await markAlerted(trx, kind);
}

async function alertEnd(deps: AlertDeps, trx: Database, { kind, since, alertedAt }: OpenAlert): Promise<void> {
  const message = { event: 'recovered', of: kind, since: since.toISOString(), text: `Recovered: ${kind}.` } as const;
  // Nobody was told that it began, so nobody waits to hear that it ended.
  if (alertedAt && !(await deliver(deps, message))) return;
  await endAlert(trx, kind);
  deps.log.info({ alert: kind }, 'alert ended');
}

async function deliver({ webhookUrl, log }: AlertDeps, message: AlertMessage): Promise<boolean> {
  if (webhookUrl === null) return true;
  try {
    await withTimeout(HOOK_TIMEOUT_MS, ({ signal }) => axios.post(webhookUrl, message, { signal, proxy: false }));
    return true;
  } catch (err) {
    log.warn({ err, alert: message.event }, 'the alert hook did not take the message');
    return false;
  }
}
