import { query } from '@site/platform/database/query';
import { ADDRESS_IS_FREE } from '@site/platform/outbox/address-lease';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';
import { isBlocked, readSyncHealth } from '@site/platform/sync-health';
import type { Database } from '@site/platform/database/connect';
import { claimProbe, endPause, pause } from '../sync-health/sync-health.repository.ts';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import type { SyncDeps } from './sync.processor.ts';

/*
 * Finds out, every 15 s, whether a pause or an outage is over. One worker at a time does it, without the queue, so that
 * neither a lost job nor a dead worker delays it.
 * Before: `sweep.ts`. Next: `sync.processor.ts` runs the lead.
 */

export type ProbeDeps = Pick<SyncDeps, 'db' | 'rateLimiter' | 'newsletter'> & {
  runProbe: (leadId: string) => Promise<unknown>;
};

/**
 * Sends the probe if it is due. A wrong key or publication needs no lead: the list of fields tells. After refusals or in
 * an outage, one of the waiting leads is tried, each time another.
 */
export async function probe(deps: ProbeDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (!(await claimProbe(db))) return;
  if (isBlocked(await readSyncHealth(db))) return probeSettings(deps, signal);
  const leadId = await chooseLead(db);
  if (leadId !== null) await deps.runProbe(leadId);
}

async function probeSettings({ db, rateLimiter, newsletter }: ProbeDeps, signal: AbortSignal): Promise<void> {
  await rateLimiter.waitForSlot(signal);
  const answer = await newsletter.listFields(1);
  if (answer.class === 'accepted') await endPause(db);
  if (answer.class === 'configuration') await pause(db, answer.message, answer.setting ?? 'BEEHIIV_API_KEY');
  if (answer.class === 'rate-limited') await pauseSlots(db, answer.retryAfterMs ?? 0);
}

/** Chooses the waiting lead that was tried longest ago, due or not. Returns null if none waits. */
async function chooseLead(db: Database): Promise<string | null> {
  const [lead] = await query<{ id: string }>(
    db,
    `select id from leads where beehiiv_status = 'pending' and ${ADDRESS_IS_FREE} and ${IS_NOT_CORRECTED}
     order by updated_at limit 1`,
  );
  return lead?.id ?? null;
}
