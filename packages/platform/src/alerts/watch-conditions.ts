import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthReader, SyncReading } from '../health/sync-facts.ts';
import { checkAlerts } from './alerts.ts';
import type { AlertDeps } from './alerts.ts';
import { deliver, ENDS } from './report-conditions.ts';

const EVERY_MS = 10_000;
/** A restart of Postgres takes less than this. */
const MISSED_AFTER_MS = 20_000;

/**
 * Checks again and again until `signal` is aborted. The workers check too, but a dead one cannot report that, and without
 * Postgres only this process can say that it refuses leads.
 */
export async function watchConditions(deps: AlertDeps & { health: HealthReader }, signal: AbortSignal): Promise<void> {
  const reportRefusals = createRefusalAlert(deps);
  for (;;) {
    await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await reportRefusals(await deps.health.read());
    await checkAlerts(deps).catch((err: unknown) => deps.log.debug({ err }, 'alerts could not be checked'));
  }
}

/** Reports without the database that it cannot be written, once, and its end. */
export function createRefusalAlert(
  deps: Pick<AlertDeps, 'log' | 'webhookUrl'>,
  now: () => Date = () => new Date(),
): (reading: Pick<SyncReading, 'conditions'>) => Promise<void> {
  let openSince: string | null = null;
  return async ({ conditions }) => {
    const refusal = conditions.find(({ kind }) => kind === 'cannot-write');
    if (refusal && openSince === null) {
      if (now().getTime() - refusal.since.getTime() < MISSED_AFTER_MS) return;
      const since = refusal.since.toISOString();
      deps.log.error({ alert: refusal.kind, since }, 'alert opened');
      if (await deliver(deps, { event: 'cannot-write', since, text: refusal.text })) openSince = since;
    } else if (!refusal && openSince !== null) {
      const text = ENDS['cannot-write'] ?? '';
      if (!(await deliver(deps, { event: 'recovered', of: 'cannot-write', since: openSince, text }))) return;
      openSince = null;
      deps.log.info({ alert: 'cannot-write' }, 'alert closed');
    }
  };
}
