// Retries of failed leads. Before: retry.routes.ts. Next: the outbox, then the workers.
import type { Database } from '@site/platform/database/connect';
import { allowLongStatements } from '@site/platform/database/silent-connections';
import { retryLeads, stepBulkRetry } from '@site/platform/outbox/retry';
import type { CallSent } from '@site/schema/calls/calls';
import type { LeadRetryAnswer, RetryEstimate, RetryFilter } from '@site/schema/calls/retry';
import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import {
  countFailed,
  findOpenRun,
  findRun,
  findToRetry,
  insertRun,
  readPace,
  stopRun,
} from './bulk-retry.repository.ts';

export type RetryDeps = Pick<AppDeps, 'db' | 'newId' | 'syncQueue'>;
type SentBulkRetry = CallSent<'GET /api/admin/bulk-retries'>['bulkRetries'][number];

/**
 * Makes failed and pending leads due now and wakes the queue. If Redis is unreachable, the sweep
 * queues them. Skips sent leads.
 */
export async function retryNow(
  { db, syncQueue }: RetryDeps,
  operator: string,
  ids: string[],
): Promise<LeadRetryAnswer> {
  const unique = [...new Set(ids)];
  const only = unique.length === 1 ? (unique[0] ?? null) : null;
  const due = await db.transaction(async (trx) => {
    const lead = only === null ? undefined : await findToRetry(trx, only);
    // A retry ends the quarantine, so the record distinguishes the two.
    const quarantined = lead?.quarantineReason;
    const retried = await retryLeads(trx, unique);
    const detail = { retried: retried.length, ...(quarantined && { fromQuarantine: true }) };
    await recordAction(trx, { operator, action: 'retry', subject: only, detail });
    return retried;
  });
  void syncQueue.wake(due.length);
  return { retried: due.length, skipped: unique.length - due.length };
}

/**
 * Estimates the number of leads in a bulk retry, and its duration at the current rate. Changes
 * nothing. Throws 409 while another bulk retry is open.
 */
export async function estimateRun(
  db: Database,
  filter: RetryFilter,
  withQuarantined: boolean,
): Promise<RetryEstimate> {
  if (await findOpenRun(db)) throw await retryRunning(db);
  const { withoutInvalid, ...all } = filter;
  const [{ count, quarantined, invalid }, { pending, requestsPerMinute }] = await Promise.all([
    countFailed(db, all),
    readPace(db),
  ]);
  const taken = count + (withQuarantined ? quarantined : 0) - (withoutInvalid ? invalid : 0);
  return {
    count: taken,
    invalid,
    estimateMs:
      requestsPerMinute === null
        ? null
        : Math.ceil(((taken + pending) / requestsPerMinute) * 60_000),
  };
}

/**
 * Stores a bulk retry and takes its first step, so that its leads wait at once, even without a
 * worker. The workers take the other steps. Throws 409 without leads, and while another bulk retry
 * is open.
 */
export async function startRun(
  { db, newId, syncQueue }: RetryDeps,
  operator: string,
  filter: RetryFilter,
  withQuarantined: boolean,
): Promise<SentBulkRetry> {
  const id = newId();
  await db.transaction(async (trx) => {
    // Many leads take a while, and only the operator waits.
    await allowLongStatements(trx, 60_000);
    const inserted = await insertRun(trx, { id, operator, filter, withQuarantined });
    if (!inserted) throw await retryRunning(trx);
    const { total } = inserted;
    if (total === 0)
      throw problem('nothing-to-retry', { detail: 'These leads are no longer failed.' });
    const detail = { total, ...(filter.status === 'quarantined' && { fromQuarantine: true }) };
    await recordAction(trx, { operator, action: 'bulk-retry', subject: id, detail });
  });
  // A separate transaction, like each step, because the insert locks leads in the list's order.
  void syncQueue.wake(await stepBulkRetry(db));
  return readRun(db, id);
}

/**
 * Stops a bulk retry, and gives back its first leads. Throws 404 for an unknown bulk retry, and 409
 * for one that has ended or was stopped before.
 */
export async function stopBulkRetry(
  db: Database,
  operator: string,
  id: string,
): Promise<SentBulkRetry> {
  await db.transaction(async (trx) => {
    if (!(await findRun(trx, id)))
      throw problem('not-found', { detail: 'There is no bulk retry with this id.' });
    if (!(await stopRun(trx, id))) throw problem('bulk-retry-over');
    await recordAction(trx, { operator, action: 'bulk-retry-stop', subject: id, detail: {} });
  });
  await stepBulkRetry(db);
  return readRun(db, id);
}

async function readRun(db: Database, id: string): Promise<SentBulkRetry> {
  const run = await findRun(db, id);
  if (!run) throw new Error('no bulk retry is ever deleted');
  return run;
}

async function retryRunning(db: Database): Promise<Error> {
  const run = await findOpenRun(db);
  const what = run ? `${run.operator} retries ${run.total} leads` : 'It has just ended';
  return problem('bulk-retry-running', {
    detail: `${what}. Wait until it ends, or stop it first.`,
  });
}
