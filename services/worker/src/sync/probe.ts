import { readSyncHealth } from '@site/platform/outbox/sync-health';
import { claimProbe, endOutage, endPause, pause } from '../newsletter/sync-health.repository.ts';
import type { SyncDeps } from './sync.processor.ts';

/*
 * Finds out every 15 s whether a pause or an outage is over. One worker at a time does it, without
 * the queue, so that neither a lost job nor a dead worker delays it.
 * Before: `sweep.ts`. Next: `sync.processor.ts` runs the lead.
 */

export type ProbeDeps = Pick<SyncDeps, 'db' | 'rateLimiter' | 'newsletter'> & {
  /** Tries one of the waiting leads. Returns null if none waits. */
  runProbe: () => Promise<object | null>;
};

/**
 * Sends the probe if it is due. For a configuration pause it reads the list of fields, which needs
 * no lead. After refusals or in an outage it tries one of the waiting leads, each time another, or
 * the list of fields if none waits.
 */
export async function probe(deps: ProbeDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (!(await claimProbe(db))) return;
  if ((await readSyncHealth(db)).isBlocked) return probeSettings(deps, signal);
  if ((await deps.runProbe()) === null) await probeSettings(deps, signal);
}

async function probeSettings(
  { db, rateLimiter, newsletter }: ProbeDeps,
  signal: AbortSignal,
): Promise<void> {
  await rateLimiter.waitForSlot(signal);
  const answer = await newsletter.listFields(1);
  if (answer.class === 'accepted') {
    await endPause(db);
    await endOutage(db);
  }
  if (answer.class === 'configuration')
    await pause(db, answer.message, answer.setting ?? 'BEEHIIV_API_KEY');
}
