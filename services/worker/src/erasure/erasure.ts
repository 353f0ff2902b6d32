import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { claimDueErasure, finishErasure, markDeleted, postponeErasure } from './erasure.repository.ts';
import type { DueErasure } from './erasure.repository.ts';
import { releaseAddress, renewAddress } from '@site/platform/outbox/address-lease';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { withLeaseRenewal } from '../newsletter/with-lease-renewal.ts';
import type { NewsletterPort, Verdict } from '../newsletter/newsletter.port.ts';
import { backoffMs } from '../sync/backoff.ts';

export type ErasureDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: NewsletterPort;
  newId: () => string;
  backoffBaseMs: number;
  random: () => number;
  log: Logger;
};

/**
 * Deletes at the newsletter every subscriber whose erasure is due, and looks again after an hour. A failed attempt is
 * repeated with backoff, whatever the reason and without end: the erasure was promised.
 */
export async function eraseDue(deps: ErasureDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const leasedBy = deps.newId();
    const erasure = await claimDueErasure(deps.db, leasedBy);
    if (!erasure) return;
    const waitAndRenew = async () => {
      await withLeaseRenewal(() => renewAddress(deps.db, leasedBy), deps.rateLimiter.waitForSlot(signal));
      return renewAddress(deps.db, leasedBy);
    };
    try {
      if (erasure.isBack) {
        const found = { reason: 'subscribed-again', message: 'They have subscribed again' } as const;
        await finishErasure(deps.db, erasure, leasedBy, found);
        continue;
      }
      const answer = await eraseSubscriber(deps.newsletter, erasure.emailNormalised, waitAndRenew);
      if (answer) await record(deps, erasure, leasedBy, answer);
    } finally {
      await releaseAddress(deps.db, leasedBy);
    }
  }
}

/** Returns the answer that decides, or null if the lease was lost: the subscriber may have been added again since. */
async function eraseSubscriber(
  newsletter: NewsletterPort,
  emailNormalised: string,
  waitAndRenew: () => Promise<boolean>,
): Promise<Verdict | null> {
  if (!(await waitAndRenew())) return null;
  const found = await newsletter.find(emailNormalised);
  if (found.class !== 'accepted' && !found.subscriber) return found;
  if (!(await waitAndRenew())) return null;
  if (found.subscriber) return newsletter.remove(found.subscriber.id);
  // A wrong publication has no subscribers at all. Only a publication that answers can say that one is absent.
  const fields = await newsletter.listFields(1);
  return fields.class === 'accepted' ? found : fields;
}

async function record(deps: ErasureDeps, erasure: DueErasure, leasedBy: string, answer: Verdict): Promise<void> {
  const { db, log } = deps;
  const { id, attempts } = erasure;
  if (answer.class === 'accepted') {
    if (erasure.isDeleted) await finishErasure(db, erasure, leasedBy, answer);
    else await markDeleted(db, id, leasedBy, answer);
    log.info({ erasureId: id, attempts: attempts + 1 }, 'subscriber erased');
    return;
  }
  const delayMs = answer.retryAfterMs ?? backoffMs(attempts + 1, deps.backoffBaseMs, deps.random());
  await postponeErasure(db, id, answer, delayMs);
  log.warn({ erasureId: id, attempts: attempts + 1, class: answer.class }, 'erasure will be retried');
}
