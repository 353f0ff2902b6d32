import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { releaseAddress, renewAddress } from '@site/platform/outbox/address-lease';
import { ADDRESS_IS_USED } from '@site/platform/outbox/address-use';
import type { NewsletterPort, Verdict } from '../newsletter/newsletter.port.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { withLeaseRenewal } from '../newsletter/with-lease-renewal.ts';
import { backoffMs } from '../sync/backoff.ts';
import { claimDueUnsubscribe, finishUnsubscribe, postponeUnsubscribe } from './unsubscribe.repository.ts';
import type { DueUnsubscribe } from './unsubscribe.repository.ts';

export type UnsubscribeDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: Pick<NewsletterPort, 'find' | 'unsubscribe' | 'listFields'>;
  newId: () => string;
  backoffBaseMs: number;
  random: () => number;
  log: Logger;
};

/**
 * Unsubscribes at the newsletter every mistyped address that is due, unless somebody uses it by now. A failed attempt
 * is repeated with backoff and without end. Before: the API, when an operator corrects an address.
 */
export async function unsubscribeDue(deps: UnsubscribeDeps, signal: AbortSignal): Promise<void> {
  const { db } = deps;
  while (!signal.aborted) {
    const leasedBy = deps.newId();
    const request = await claimDueUnsubscribe(db, leasedBy);
    if (!request) return;
    const waitAndRenew = async () => {
      await withLeaseRenewal(() => renewAddress(db, leasedBy), deps.rateLimiter.waitForSlot(signal));
      return renewAddress(db, leasedBy);
    };
    try {
      if (request.isUsed) await finishUnsubscribe(db, request.id, leasedBy, ADDRESS_IS_USED);
      else {
        const answer = await unsubscribe(deps.newsletter, request.emailNormalised, waitAndRenew);
        if (answer) await record(deps, request, leasedBy, answer);
      }
    } finally {
      await releaseAddress(db, leasedBy);
    }
  }
}

/** An answer, and whether the address gets no more mail. */
type Outcome = Verdict & { isDone: boolean };

/** Returns the answer that decides, or null if the lease was lost. */
async function unsubscribe(
  newsletter: UnsubscribeDeps['newsletter'],
  email: string,
  waitAndRenew: () => Promise<boolean>,
): Promise<Outcome | null> {
  if (!(await waitAndRenew())) return null;
  const found = await newsletter.find(email);
  if (found.class !== 'accepted' && !found.subscriber) return { ...found, isDone: false };
  if (found.subscriber?.status === 'inactive') return { ...found, isDone: true };
  if (!(await waitAndRenew())) return null;
  if (found.subscriber) {
    const answer = await newsletter.unsubscribe(email);
    return { ...answer, isDone: answer.class === 'accepted' && answer.subscriber?.status === 'inactive' };
  }
  // A wrong publication has no subscribers at all. Only a publication that answers can say that one is absent.
  const fields = await newsletter.listFields(1);
  return fields.class === 'accepted' ? { ...found, isDone: true } : { ...fields, isDone: false };
}

async function record(
  { db, log, backoffBaseMs, random }: UnsubscribeDeps,
  { id, attempts }: DueUnsubscribe,
  leasedBy: string,
  answer: Outcome,
): Promise<void> {
  if (answer.isDone) {
    await finishUnsubscribe(db, id, leasedBy, answer);
    log.info({ requestId: id, attempts: attempts + 1 }, 'mistyped address unsubscribed');
    return;
  }
  await postponeUnsubscribe(db, id, answer, answer.retryAfterMs ?? backoffMs(attempts + 1, backoffBaseMs, random()));
  log.warn({ requestId: id, attempts: attempts + 1, class: answer.class }, 'unsubscribing will be retried');
}
