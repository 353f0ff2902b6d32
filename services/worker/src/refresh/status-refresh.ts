import type { Database } from '@site/platform/database/connect';
import { closeGateFor } from '@site/platform/outbox/gate';
import { readSyncHealth } from '@site/platform/outbox/health';
import { recordRefresh, takeDueRefresh } from '@site/platform/outbox/refresh';
import type { Gate } from '../newsletter/gate.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { refreshIntervalMs } from './refresh-interval.ts';

export type RefreshDeps = { db: Database; gate: Gate; newsletter: NewsletterPort };

/**
 * Looks up the readers whose turn it is, one after the other, until none is due or
 * the newsletter is not well. While the sync is paused nothing is asked; a look-up that fails is tried again when its lease is over.
 */
export async function refreshDue({ db, gate, newsletter }: RefreshDeps, signal: AbortSignal): Promise<number> {
  let looked = 0;
  while (!signal.aborted && !(await readSyncHealth(db)).pausedSince) {
    const due = await takeDueRefresh(db);
    if (!due) break;
    await gate.pass(signal, 'background');
    const answer = await newsletter.find(due.emailNormalised);
    if (answer.class === 'rate-limited') await closeGateFor(db, answer.retryAfterMs ?? 0);
    // A reader called invalid is an answer too; only one that says nothing of the reader is not.
    if (answer.subscriber || answer.class === 'accepted') {
      const nextMs = refreshIntervalMs(answer.subscriber?.status ?? null, due.sentAgeMs);
      await recordRefresh(db, due.emailNormalised, answer.subscriber, nextMs);
    }
    looked += 1;
    // It would answer the next reader's like this one: let a later turn ask.
    if (answer.class === 'configuration' || answer.class === 'transient') break;
  }
  return looked;
}
