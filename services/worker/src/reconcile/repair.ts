import { readPerson } from '@site/platform/outbox/claim';
import { toJudged } from '@site/schema/beehiiv-answers';
import { claimRepair, listLaterConsents, recordRepair } from './repair.repository.ts';
import { createPrepareNext } from '../newsletter/lease-renewal.ts';
import { deliver } from '../sync/deliver.ts';
import { byConsent } from '../sync/reactivate.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { toNewSubscriber } from '../newsletter/to-new-subscriber.ts';

/** What a run needs, except what decides about retries. */
export type RepairDeps = Omit<SyncDeps, 'backoffBaseMs' | 'random' | 'log'>;

/** Sends what sent leads have got since: a consent that a repeat gave. What fails is tried again after a while. */
export async function sendLaterConsents(deps: RepairDeps, signal: AbortSignal): Promise<void> {
  for (const leadId of await listLaterConsents(deps.db)) {
    if (signal.aborted) return;
    await repairLead(deps, leadId, signal);
  }
}

/**
 * Adds a sent lead's missing subscriber again, or updates them, after a look-up. Returns true if the newsletter now has
 * them.
 */
export async function repairLead(deps: RepairDeps, leadId: string, signal: AbortSignal): Promise<boolean> {
  const { db, rateLimiter, newsletter } = deps;
  await rateLimiter.waitForSlot(signal, 'background');
  const attemptId = deps.newId();
  const lead = await claimRepair(db, { leadId, attemptId, worker: deps.worker });
  if (!lead) return false;
  const prepareNext = createPrepareNext(deps, attemptId, signal, 'background');
  const startedAt = performance.now();
  const person = await readPerson(db, lead);
  const subscriber = toNewSubscriber(lead, deps.delivery, deps.fieldCatalog);
  const delivery = {
    subscriber: { ...subscriber, ...(person.isPremium && { doubleOptIn: 'off' as const }) },
    mayBeThereAlready: true,
    // The list may be out of date: somebody who has unsubscribed is not missing. A later consent may be newer than that.
    reactivate: lead.consentDueAt === null ? undefined : byConsent(deps, { lead, ...person }, subscriber, prepareNext),
  };
  const answer = (await deliver(newsletter, delivery, prepareNext)) ?? LOST;
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
