import type { Database } from '../database/connect.ts';
import { releaseAddress } from './address-lease.ts';
import { closeAttempt } from './attempts.ts';
import type { AttemptOutcome } from './attempts.ts';
import type { Run } from './claim.ts';
import { reassertTier } from './tiers.ts';

/*
 * After a lead's answer: one transaction closes the attempt, moves the lead and keeps the sync's health.
 * Each move is a compare-and-set on status, round and claim, so a run that lost its lead changes nothing.
 */

/** A subscriber is looked at again this soon: the newsletter's own checks are usually done by then. */
const FIRST_STATUS_CHECK_MINUTES = 5;

/** What happens to the lead now. */
export type Decision =
  | { move: 'sent'; subscriber: { id: string; status: string } | null }
  | { move: 'failed' }
  | { move: 'wait'; delayMs: number; spendsBudget: boolean };

/** Records a run's outcome, in the caller's transaction. Returns false when the run had lost its lead, whose row is then left alone. */
export async function recordOutcome(
  trx: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
): Promise<boolean> {
  await closeAttempt(trx, run.attemptId, outcome);
  const moved = await trx('leads')
    .where({ id: run.lead.id, beehiivStatus: 'pending', syncRound: run.lead.syncRound, claim: run.attemptId })
    .update({
      claim: null,
      claimedUntil: null,
      outcomeUnknown: !outcome.isOutcomeKnown,
      beehiivResponse: cutToBytes(outcome.response, 4_096),
      ...columnsOf(trx, decision),
    });
  if (moved === 1 && decision.move === 'sent') await reassertTier(trx, run.lead.emailNormalised);
  await releaseAddress(trx, run.attemptId);
  return moved === 1;
}

function columnsOf(db: Database, decision: Decision) {
  switch (decision.move) {
    case 'sent':
      return {
        beehiivStatus: 'sent',
        beehiivSentAt: db.raw('sync_now()'),
        nextAttemptAt: null,
        ...(decision.subscriber
          ? {
              subscriberId: decision.subscriber.id,
              subscriberStatus: decision.subscriber.status,
              subscriberCheckedAt: db.raw('sync_now()'),
              subscriberCheckDueAt: db.raw('sync_now() + make_interval(mins => ?)', [FIRST_STATUS_CHECK_MINUTES]),
            }
          : {}),
      };
    case 'failed':
      return { beehiivStatus: 'failed', nextAttemptAt: null };
    case 'wait':
      return {
        nextAttemptAt: db.raw('sync_now() + make_interval(secs => ?)', [decision.delayMs / 1_000]),
        syncAttempts: db.raw('sync_attempts + ?', [decision.spendsBudget ? 1 : 0]),
      };
  }
}

/** The beginning of a text that fits into `maxBytes` of UTF-8, never ending inside a character. */
function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.replaceAll('\0', ''));
  if (bytes.length <= maxBytes) return bytes.toString();
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD+$/u, '');
}
