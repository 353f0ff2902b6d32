import type { AttemptClass } from '@site/schema/admin';
import type { Database } from '../database/connect.ts';
import type { SyncAttemptRow } from '../database/tables.ts';

/*
 * One row a run. It is written before the request leaves and closed with its outcome; one found open says
 * that nobody knows what became of its request.
 */

/** What was learned from the newsletter's answer. */
export type AttemptOutcome = {
  class: AttemptClass;
  httpStatus: number | null;
  /** A sentence for the operator, at most 1,000 characters. */
  message: string;
  /** The answer as it is kept on the lead, at most 4 KiB. */
  response: string;
  requestId: string | null;
  tookMs: number;
  /** An addition was accepted, and not only an update of a subscriber who was there. */
  hasAdded?: boolean | undefined;
  /** False when the request may have been carried out although no usable answer came. */
  isOutcomeKnown: boolean;
  /** Where the fault lies in our own settings: which one. */
  setting?: string | undefined;
};

type NewAttempt = { attemptId: string; leadId: string; kind: SyncAttemptRow['kind']; round: number; worker: string };

/** Puts an attempt on record before its request leaves. What an ended worker left open is closed as "outcome unknown". */
export async function openAttempt(trx: Database, attempt: NewAttempt): Promise<void> {
  await trx('lead_sync_attempts')
    .where({ leadId: attempt.leadId })
    .whereNull('class')
    .update({ class: 'unknown', message: 'The worker ended before the answer was recorded' });
  await trx.raw(
    `insert into lead_sync_attempts (id, lead_id, kind, round, number, worker)
     select :attemptId, :leadId, :kind, :round, coalesce(max(number), 0) + 1, :worker
     from lead_sync_attempts where lead_id = :leadId and round = :round`,
    attempt,
  );
}

/** A message as the columns for it take it: cut, and without the one character that no text column takes. */
export function toMessage(text: string, maxChars = 1_000): string {
  return text.replaceAll('\0', '').slice(0, maxChars);
}

/** Closes an open attempt with its outcome; one that was closed as unknown meanwhile stays so. */
export async function closeAttempt(trx: Database, attemptId: string, outcome: AttemptOutcome): Promise<void> {
  await trx('lead_sync_attempts')
    .where({ id: attemptId })
    .whereNull('class')
    .update({
      class: outcome.class,
      httpStatus: outcome.httpStatus,
      message: toMessage(outcome.message),
      requestId: outcome.requestId,
      tookMs: outcome.tookMs,
    });
}

/** A lead's attempts, newest first, at most 200. */
export async function listAttempts(db: Database, leadId: string): Promise<SyncAttemptRow[]> {
  return db<SyncAttemptRow>('lead_sync_attempts')
    .where({ leadId })
    .orderBy([
      { column: 'startedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(200);
}
