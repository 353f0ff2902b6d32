import { query } from '@site/platform/database/query';
import { ADDRESS_IS_FREE } from '@site/platform/outbox/address-lease';
import { IS_NOT_CORRECTED } from '@site/platform/outbox/retry';
import { isBlocked, readSyncHealth } from '@site/platform/sync-health';
import type { Database } from '@site/platform/database/connect';
import { claimProbe, endOutage, endPause, pause } from '../sync-health/sync-health.repository.ts';
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
 * an outage, one of the waiting leads is tried, each time another; if none waits, the list of fields must do.
 */
export async function probe(deps: ProbeDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  if (!(await claimProbe(db))) return;
  if (isBlocked(await readSyncHealth(db))) return probeSettings(deps, signal);
  const leadId = await chooseLead(db);
  if (leadId === null) await probeSettings(deps, signal);
  else await deps.runProbe(leadId);
}

async function probeSettings({ db, rateLimiter, newsletter }: ProbeDeps, signal: AbortSignal): Promise<void> {
  await rateLimiter.waitForSlot(signal);
  const answer = await newsletter.listFields(1);
  if (answer.class === 'accepted') {
    await endPause(db);
    await endOutage(db);
  }
  if (answer.class === 'configuration') await pause(db, answer.message, answer.setting ?? 'BEEHIIV_API_KEY');
}

/**
 * Chooses the waiting lead that was tried longest ago, due or not. Leads that were refused come last: others may wait with
 * them since an outage, and one accepted addition frees all. Returns null if none waits.
 */
async function chooseLead(db: Database): Promise<string | null> {
  const [lead] = await query<{ id: string }>(
    db,
    `select id from leads where beehiiv_status = 'pending' and ${ADDRESS_IS_FREE} and ${IS_NOT_CORRECTED}
     order by coalesce(beehiiv_response ~ '^(400|409|422) ', false), updated_at limit 1`,
  );
  return lead?.id ?? null;
}
