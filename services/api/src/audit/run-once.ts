import type { Database } from '@site/platform/database/connect';
import { createHash } from 'node:crypto';
import { ProblemError, problem } from '../http/problem.ts';

/** The caller. `key` is the `Idempotency-Key`. Without a key, a repeat is a new request. */
export type Asked = { operator: string; key: string | undefined };

export type OperatorRequest = Asked & {
  /** The call and its whole body. Only a hash of it is stored. */
  request: unknown[];
};

/** The work outside any transaction, and its record, stored afterwards. */
type Work<Result> = {
  /** `isRepeat`: the same request was begun before, and may have succeeded. */
  carryOut: (isRepeat: boolean) => Promise<Result>;
  record: (trx: Database, result: Result) => Promise<void>;
};

/**
 * Runs an operator's work once for a key, and stores its result without personal data. A repeat
 * gets the first result. If the first attempt has no result yet, a repeat runs the work again, so
 * the work must be idempotent. Only one is recorded. Throws 409 if the key was used for another
 * request.
 */
export async function runOnce<Result extends Record<string, unknown>>(
  db: Database,
  { operator, key, request }: OperatorRequest,
  { carryOut, record }: Work<Result>,
): Promise<Result> {
  if (key === undefined) {
    const result = await carryOut(false);
    await db.transaction((trx) => record(trx, result));
    return result;
  }
  const { isRepeat, earlier } = await claimKey(db, { operator, key, request });
  if (earlier) return earlier as Result;
  const result = await carryOut(isRepeat).catch(async (error: unknown) => {
    // Stripe refused, so nothing was done.
    if (!isRepeat && error instanceof ProblemError && error.kind !== 'stripe-unavailable') {
      await db('operator_requests').where({ operator, key, result: NO_RESULT }).delete();
    }
    throw error;
  });
  return db.transaction(async (trx) => {
    const stored = await trx('operator_requests')
      .where({ operator, key, result: NO_RESULT })
      .update({ result: JSON.stringify(result) });
    if (stored > 0) await record(trx, result);
    return result;
  });
}

/**
 * Stores a key with its request before the work begins, so that even a crash cannot lose the start.
 * Returns the result of an earlier attempt, if any. Throws 409 if the key was used for another
 * request.
 */
export async function claimKey(
  db: Database,
  { operator, key, request }: { operator: string; key: string; request: unknown[] },
): Promise<{ isRepeat: boolean; earlier?: Record<string, unknown> | null | undefined }> {
  const hash = hashRequest(operator, key, request);
  const begun = await db('operator_requests')
    .insert({ operator, key, request: hash, result: NO_RESULT })
    .onConflict(['operator', 'key'])
    .ignore()
    .returning('key');
  if (begun.length > 0) return { isRepeat: false };
  const earlier = await db('operator_requests').where({ operator, key }).first('request', 'result');
  if (earlier && earlier.request !== hash)
    throw problem('key-reused', { detail: 'This Idempotency-Key was used for another request.' });
  return { isRepeat: true, earlier: earlier?.result };
}

/** Hashes a request with its key, for the table and as Stripe's key. */
export const hashRequest = (operator: string, key: string, request: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([operator, key, request]))
    .digest('hex');

/** JSON's null. */
const NO_RESULT = 'null';
