import type { Database } from '@site/platform/database/connect';
import { isPaying } from '@site/platform/outbox/tiers';
import { toJudged } from '@site/schema/beehiiv-answers';
import { claimRepair, recordRepair } from './repair.repository.ts';
import type { FieldCatalog } from '../newsletter/field-catalog.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import { createPrepareNext } from '../newsletter/lease-renewal.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { deliver } from '../sync/deliver.ts';
import type { DeliverySettings } from '../newsletter/to-new-subscriber.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';

export type RepairDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: NewsletterPort;
  delivery: DeliverySettings;
  fieldCatalog: Pick<FieldCatalog, 'keepKnown'>;
  newId: () => string;
  worker: string;
};

/**
 * Adds a sent lead's missing subscriber again, after a look-up, since the list may be out of date. Returns true if the
 * newsletter now has them.
 */
export async function repairLead(deps: RepairDeps, leadId: string, signal: AbortSignal): Promise<boolean> {
  const { db, rateLimiter, newsletter } = deps;
  await rateLimiter.waitForSlot(signal, 'background');
  const attemptId = deps.newId();
  const lead = await claimRepair(db, { leadId, attemptId, worker: deps.worker });
  if (!lead) return false;
  const prepareNext = createPrepareNext(deps, attemptId, signal, 'background');
  const startedAt = performance.now();
  // The list may be out of date: somebody who has unsubscribed is not missing.
  const subscriber = {
    ...toNewSubscriber(lead, deps.delivery, deps.fieldCatalog),
    // Beehiiv need not ask somebody who pays whether they want the newsletter.
    ...((await isPaying(db, lead.emailNormalised)) && { doubleOptIn: 'off' as const }),
  };
  const answer = (await deliver(newsletter, { subscriber, mayBeThereAlready: true }, prepareNext)) ?? LOST;
  const tookMs = Math.round(performance.now() - startedAt);
  await recordRepair(db, attemptId, lead, { ...answer, tookMs }, answer.subscriber);
  return answer.class === 'accepted';
}

const LOST = {
  ...toJudged('not-recorded'),
  httpStatus: null,
  message: 'Another run took over the address',
  response: '',
  requestId: null,
  isOutcomeKnown: false,
  subscriber: null,
  retryAfterMs: undefined,
} as const;
