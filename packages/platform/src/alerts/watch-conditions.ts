import type { AlertKind } from '@site/schema/sync-state';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthReader, SyncReading } from '../health/sync-facts.ts';
import { recordStripeOutage, deliver, toRecovery } from './report-conditions.ts';
import { checkAlerts } from './alerts.ts';
import type { AlertDeps } from './alerts.ts';

const EVERY_MS = 10_000;
/** A restart of Postgres takes less than this. */
const MISSED_AFTER_MS = 20_000;

/**
 * Checks repeatedly until `signal` is aborted. The workers check too, but a dead worker cannot
 * report itself, and without Postgres only this process knows that it refuses leads.
 */
export async function watchConditions(
  deps: AlertDeps & { health: HealthReader },
  signal: AbortSignal,
): Promise<void> {
  const reportOwn = createOwnAlerts(deps, async (kind, since) => {
    if (kind === 'stripe-unavailable') await recordStripeOutage(deps.db, since);
  });
  for (;;) {
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await reportOwn(await deps.health.read());
    await checkAlerts(deps).catch((err: unknown) =>
      deps.log.debug({ err }, 'alerts could not be checked'),
    );
  }
}

/**
 * Conditions that each process reports for itself. The others are in Postgres, and one process
 * reports them.
 */
const OWN = ['not-set-up', 'cannot-write', 'redis-unavailable', 'stripe-unavailable'] as const;

/**
 * Reports, without the database, what this process cannot reach, once, and its end. Calls `onEnd`
 * until the end is delivered.
 */
export function createOwnAlerts(
  deps: Pick<AlertDeps, 'log' | 'webhookUrl'>,
  onEnd: (kind: AlertKind, since: string) => Promise<void>,
  now: () => Date = () => new Date(),
): (reading: Pick<SyncReading, 'conditions'>) => Promise<void> {
  const open = new Map<AlertKind, string>();
  return async ({ conditions }) => {
    for (const kind of OWN) {
      const found = conditions.find((each) => each.kind === kind);
      const openSince = open.get(kind);
      if (found && openSince === undefined) {
        if (now().getTime() - found.since.getTime() < MISSED_AFTER_MS) continue;
        const since = found.since.toISOString();
        deps.log.error({ alert: kind, since }, 'alert opened');
        if (await deliver(deps, { event: kind, since, text: found.text })) open.set(kind, since);
      } else if (!found && openSince !== undefined) {
        const recovery = {
          event: 'recovered',
          of: kind,
          since: openSince,
          text: toRecovery(kind),
        } as const;
        await onEnd(kind, openSince).catch((err: unknown) =>
          deps.log.warn({ err }, 'an outage was not recorded'),
        );
        if (!(await deliver(deps, recovery))) continue;
        open.delete(kind);
        deps.log.info({ alert: kind }, 'alert closed');
      }
    }
  };
}
