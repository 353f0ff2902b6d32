import type { Database } from '../database/connect.ts';
import { queryOne } from '../database/query.ts';
import { toMessage } from './attempts.ts';
import type { AttemptOutcome } from './attempts.ts';
import type { Run } from './claim.ts';

/*
 * Records a run's outcome: `record_outcome` in the schema locks the person, closes the attempt,
 * releases the email, moves the lead and stores the subscriber. The move compares status and round,
 * and needs the attempt to be open. The next run closes it, so a run that has lost its lead changes
 * nothing.
 * Before: `sync.processor.ts` in the worker, with the policy's decision. Next: the console shows
 * the lead's new status.
 */

export type Decision =
  | { move: 'sent'; subscriber: { id: string; status: string } | null }
  | { move: 'failed' }
  /** `delayMs` null waits until Beehiiv accepts additions again. */
  | { move: 'wait'; delayMs: number | null; spendsBudget: boolean };

/**
 * Records a run's outcome and the subscriber's status. Returns false and changes nothing if the run
 * had lost the lead. One statement, so that Postgres finishes it even if the worker dies.
 */
export async function recordOutcome(
  db: Database,
  run: Run,
  outcome: AttemptOutcome,
  decision: Decision,
): Promise<boolean> {
  const subscriber = decision.move === 'sent' ? decision.subscriber : null;
  const wait = decision.move === 'wait' ? decision : null;
  const { isOurs } = await queryOne<{ isOurs: boolean }>(
    db,
    'select record_outcome(:attemptId, :email, :round, :told) as is_ours',
    {
      attemptId: run.attemptId,
      email: run.lead.emailNormalised,
      round: run.lead.syncRound,
      told: JSON.stringify({
        class: outcome.class,
        reason: outcome.reason,
        httpStatus: outcome.httpStatus,
        message: toMessage(outcome.message),
        requestId: outcome.requestId,
        tookMs: outcome.tookMs,
        status: decision.move === 'wait' ? 'pending' : decision.move,
        subscriberId: subscriber?.id ?? null,
        subscriberStatus: subscriber?.status ?? null,
        response: cutToBytes(outcome.response, 4_096),
        outcomeUnknown: !outcome.isOutcomeKnown,
        spent: wait?.spendsBudget ? 1 : 0,
        delaySeconds: wait?.delayMs == null ? null : wait.delayMs / 1_000,
        hadConsent: run.lead.consentMarketing,
      }),
    },
    'record outcome',
  );
  return isOurs;
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
