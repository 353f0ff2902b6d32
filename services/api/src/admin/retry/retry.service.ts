import type { Database } from '@site/platform/database/connect';
import { allowLongStatements } from '@site/platform/database/silence';
import { retryLeads } from '@site/platform/outbox/retry';
import { stepRetryRun, stopRetryRun } from '@site/platform/outbox/retry-run';
import type { SyncQueue } from '@site/platform/outbox/sync-queue';
import type { RetryRunRow } from '@site/platform/database/tables';
import type { LeadRetryAnswer, RetryEstimate, RetryFilter } from '@site/schema/calls/retry';
import type { CallSent } from '@site/schema/calls/calls';
import { problem } from '../../http/problem.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { countFailed, findOpenRun, insertRun, readPace } from './retry-run.repository.ts';

type SentRun = CallSent<'GET /api/admin/retry-runs'>['runs'][number];

/**
 * Makes failed and pending leads due now and wakes the queue. If Redis is unreachable the sweep queues them. Sent and
 * corrected leads are skipped. Throws 409 for a single lead whose address was corrected: retry the lead that replaced
 * it.
 */
export async function retryNow(
  { db, syncQueue }: { db: Database; syncQueue: Pick<SyncQueue, 'wake'> },
  operator: string,
  ids: string[],
): Promise<LeadRetryAnswer> {
  const unique = [...new Set(ids)];
  const only = unique.length === 1 ? (unique[0] ?? null) : null;
  const due = await db.transaction(async (trx) => {
    const lead =
      only === null
        ? undefined
        : await trx('leads').where({ id: only }).first('quarantineReason', 'correctedTo');
    if (lead?.correctedTo) {
      throw problem('already-corrected', {
        detail: `Its address was corrected by lead ${lead.correctedTo}. Retry that lead instead.`,
      });
    }
    // A retry ends the quarantine, and the record tells that apart.
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
 * Estimates how many leads a run would retry, and how long it would take at the current rate. Changes nothing. Throws
 * 409 while another run is open.
 */
export async function estimateRun(
  db: Database,
  filter: RetryFilter,
  withQuarantined: boolean,
): Promise<RetryEstimate> {
  if (await findOpenRun(db)) throw await retryRunning(db);
  const { withoutInvalid, ...all } = filter;
  const [{ count, quarantined, invalid }, pace] = await Promise.all([
    countFailed(db, all),
    readPace(db),
  ]);
  const taken = count + (withQuarantined ? quarantined : 0) - (withoutInvalid ? invalid : 0);
  const { requestsPerMinute } = pace;
  return {
    count: taken,
    quarantined: withQuarantined ? 0 : quarantined,
    invalid,
    estimateMs:
      requestsPerMinute === null
        ? null
        : Math.ceil(((taken + pace.pending) / requestsPerMinute) * 60_000),
  };
}

/**
 * Stores a run and takes its first step, so that its leads wait at once, with or without a worker. The workers take the
 * others. Throws 409 without any lead, and while another run is open.
 */
export async function startRun(
  {
    db,
    newId,
    syncQueue,
  }: { db: Database; newId: () => string; syncQueue: Pick<SyncQueue, 'wake'> },
  operator: string,
  filter: RetryFilter,
  withQuarantined: boolean,
): Promise<SentRun> {
  const id = newId();
  const { run, due } = await db.transaction(async (trx) => {
    // Many leads take a while, and only the operator waits for them.
    await allowLongStatements(trx, 60_000);
    const inserted = await insertRun(trx, { id, operator, filter, withQuarantined });
    if (!inserted) throw await retryRunning(trx);
    const { total } = inserted;
    if (total === 0)
      throw problem('nothing-to-retry', { detail: 'These leads are no longer failed.' });
    const detail = { total, ...(filter.status === 'quarantined' && { fromQuarantine: true }) };
    await recordAction(trx, { operator, action: 'retry-run', subject: id, detail });
    return {
      due: await stepRetryRun(trx, id),
      run: await trx<RetryRunRow>('retry_runs').where({ id }).first(),
    };
  });
  if (!run) throw new Error('the run has just been inserted');
  void syncQueue.wake(due.length);
  return run;
}

/** Stops a run. Throws 404 for an unknown one, 409 for one that is over. */
export async function stopRun(db: Database, operator: string, id: string): Promise<SentRun> {
  return db.transaction(async (trx) => {
    const isThere = await trx('retry_runs').where({ id }).first('id');
    if (!isThere) throw problem('not-found', { detail: 'There is no run with this id.' });
    const run = await stopRetryRun(trx, id);
    if (!run) throw problem('run-over');
    await recordAction(trx, {
      operator,
      action: 'retry-run-stop',
      subject: id,
      detail: { returned: run.returned },
    });
    return run;
  });
}

async function retryRunning(db: Database): Promise<Error> {
  const run = await findOpenRun(db);
  const what = run ? `${run.operator} retries ${run.total} leads` : 'It has just ended';
  return problem('retry-running', { detail: `${what}. Wait until it ends, or stop it first.` });
}
