import { readSyncHealth } from '@site/platform/outbox/sync-health';
import { claimProbe, endOutage, endPause, pause } from '../newsletter/sync-health.repository.ts';
import type { SyncDeps } from './sync.processor.ts';

/*
 * Finds out, every 15 s, whether a pause or an outage is over. One worker at a time does it, without the queue, so that
 * neither a lost job nor a dead worker delays it.
 * Before: `sweep.ts`. Next: `sync.processor.ts` runs the lead.
 */

export type ProbeDeps = Pick<SyncDeps, 'db' | 'rateLimiter' | 'newsletter'> & {
  /** Tries one of the waiting leads. Returns null if none waits. */
  runProbe: () => Promise<object | null>;
};

/**
 * Sends the probe if it is due. A wrong key or publication needs no lead: the list of fields tells. After refusals or in
 * an outage, one of the waiting leads is tried, each time another; if none waits, the list of fields must do.
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
