import {
  claimProbe,
  endOutage,
  endPause,
  pause,
  readSyncHealth,
} from '@site/platform/health/sync-health';
import type { SyncDeps } from './sync.processor.ts';

/*
 * The probe tests every 15 s whether a pause or an outage is over. One worker at a time probes,
 * without the queue, so that neither a lost job nor a dead worker delays it. Next:
 * `sync.processor.ts` runs the lead.
 */

export type ProbeDeps = Pick<SyncDeps, 'db' | 'rateLimiter' | 'newsletter'> & {
  /** Tries a waiting lead. Returns null if no lead waits. */
  runProbe: () => Promise<object | null>;
};

/**
 * Sends the probe if it is due. A configuration pause is probed by the list of fields, which needs
 * no lead. Refusals and outages are probed by a waiting lead, each time another, or by the list of
 * fields if none waits.
 */
export async function probe(deps: ProbeDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (!(await claimProbe(db))) return;
  if ((await readSyncHealth(db)).isPausedBySetting) return probeSettings(deps, signal);
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
