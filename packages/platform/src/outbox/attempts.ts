import type { AttemptClass, BeehiivReason } from '@site/schema/beehiiv-answers';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';
import type { SyncAttemptRow } from '../database/tables.ts';

/*
 * Attempts: one row for each run, written before the request leaves and closed with its outcome. An
 * open row means that the outcome of its request is unknown.
 */

export type AttemptOutcome = {
  class: AttemptClass;
  reason: BeehiivReason;
  httpStatus: number | null;
  /** A sentence for the operator, at most 1,000 characters. */
  message: string;
  /** The answer as stored on the lead, at most 4 KiB. */
  response: string;
  requestId: string | null;
  tookMs: number;
  hasAdded?: boolean | undefined;
  /** False if the request may have taken effect although no usable answer came. */
  isOutcomeKnown: boolean;
  setting?: string | undefined;
};

type NewAttempt = {
  attemptId: string;
  leadId: string;
  kind: SyncAttemptRow['kind'];
  round: number;
  worker: string;
};

/** Opens an attempt before its request leaves, behind the lock of its person. */
export async function openAttempt(trx: Database, attempt: NewAttempt): Promise<void> {
  await query(trx, 'select open_attempt(:attemptId, :leadId, :kind, :round, :worker)', attempt);
}

/** Shortens a message for its column, and removes NUL, which no text column accepts. */
export function toMessage(text: string, maxChars = 1_000): string {
  return text.replaceAll('\0', '').slice(0, maxChars);
}

/**
 * Closes an open attempt with its outcome, behind the lock of its person. An attempt already closed
 * as unknown stays unknown.
 */
export async function closeAttempt(
  trx: Database,
  attemptId: string,
  outcome: AttemptOutcome,
): Promise<void> {
  await trx('lead_sync_attempts')
    .where({ id: attemptId })
    .whereNull('class')
    .update({
      emailNormalised: null,
      class: outcome.class,
      reason: outcome.reason,
      httpStatus: outcome.httpStatus,
      message: toMessage(outcome.message),
      requestId: outcome.requestId,
      tookMs: outcome.tookMs,
    });
}
