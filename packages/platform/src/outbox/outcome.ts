import type { Database } from '../database/connect.ts';
import { releaseAddress } from './address-lease.ts';
import { closeAttempt } from './attempts.ts';
import type { AttemptOutcome } from './attempts.ts';
import type { Run } from './claim.ts';
import { reassertTier } from './tiers.ts';

/*
 * Records a run's outcome: closes the attempt and moves the lead. The move compares status, round and claim, so a run
 * that has lost its lead changes nothing.
 * Before: `record-run.ts` in the worker, with the policy's decision. Next: the console shows the lead's new status.
 */

/** The newsletter has usually validated a new address by then. */
const FIRST_STATUS_CHECK_MINUTES = 5;

export type Decision =
  | { move: 'sent'; subscriber: { id: string; status: string } | null }
  | { move: 'failed' }
  | { move: 'wait'; delayMs: number; spendsBudget: boolean };

/** Records a run's outcome in the caller's transaction. Returns false, and leaves the lead alone, if the run had lost it. */
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

/** Cuts a text to `maxBytes` of UTF-8, never inside a character. */
function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.replaceAll('\0', ''));
  if (bytes.length <= maxBytes) return bytes.toString();
  return bytes
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD+$/u, '');
}
