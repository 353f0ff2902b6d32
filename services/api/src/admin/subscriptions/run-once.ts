import type { Database } from '@site/platform/database/connect';
import { problem } from '../../http/problem.ts';

export type OperatorRequest = {
  operator: string;
  /** The `Idempotency-Key`. Without one, a repeat is a request of its own. */
  key: string | undefined;
  /** What is asked for, in one line without personal data. */
  request: string;
};

/**
 * Does an operator's work once for a key, and stores its result, which holds no personal data. A repeat gets the first
 * result. Simultaneous repeats wait for each other. What `work` does at Stripe must carry an idempotency key of its
 * own, because the transaction may fail afterwards. Throws 409 if the key was used for something else.
 */
export async function runOnce<Result extends Record<string, unknown>>(
  db: Database,
  { operator, key, request }: OperatorRequest,
  work: (trx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (trx) => {
    if (key === undefined) return work(trx);
    await trx.raw(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`request ${operator} ${key}`]);
    const earlier = await trx('operator_requests').where({ operator, key }).first('request', 'result');
    if (earlier && earlier.request !== request) {
      throw problem('key-reused', { detail: 'This Idempotency-Key was used for another request.' });
    }
    if (earlier) return earlier.result as Result;
    const result = await work(trx);
    await trx('operator_requests').insert({ operator, key, request, result: JSON.stringify(result) });
    return result;
  });
}
