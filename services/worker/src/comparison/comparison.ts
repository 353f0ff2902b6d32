import { codeOf, errorMessage } from '@site/platform/process/logged-error';
import {
  advanceComparison,
  endComparison,
  lockComparison,
  readComparison,
  readSyncTime,
  releaseComparison,
  renewComparison,
  startComparison,
  takeOverComparison,
} from './comparison.repository.ts';
import type { Comparison, ComparisonRun } from './comparison.repository.ts';
import { judgeUnknown, storeDifferences, storeListed } from './differences.repository.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  NewsletterPage,
  NewsletterPort,
  SubscriberPage,
} from '../newsletter/newsletter.port.ts';
import { pause } from '@site/platform/health/sync-health';
import { withLeaseRenewal } from '../newsletter/rate-limiter.ts';
import { backoffMs } from '../sync/sync.policy.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';

/*
 * Compares sent leads with Beehiiv's whole list, at background priority. Changes only the stored
 * statuses of subscribers. Before: `periodic-tasks.ts` each night or on an operator's request, or
 * `npm run reconcile`. Next: with --fix, `person/` adds missing subscribers.
 */

export type ReconcileDeps = Pick<
  SyncDeps,
  'db' | 'rateLimiter' | 'newId' | 'backoffBaseMs' | 'random'
> & {
  newsletter: Pick<NewsletterPort, 'listSubscribers'>;
};

const MAX_ATTEMPTS = 6;
const SAME_CURSOR = 'Beehiiv returned the same page twice';
const LOOK_EVERY_MS = 500;

/** Returns true if Postgres refuses these values or takes too long, and would again. */
const isRefused = (error: unknown) => /^(2[23]|54|57014)/.test(codeOf(error));

/**
 * Continues a comparison whose process has ended, or starts a due comparison. Returns it once it
 * ends, or null if there was nothing to do.
 */
export async function reconcileWhenDue(
  deps: ReconcileDeps,
  signal: AbortSignal,
): Promise<Comparison | null> {
  const { db, newId } = deps;
  const run =
    (await takeOverComparison(db, newId())) ?? (await startComparison(db, newId(), 'due'));
  return run && (await compare(deps, run, signal)) ? readComparison(db) : null;
}

/**
 * Starts a comparison or joins the one in progress, and returns it once it ends. Takes over if the
 * other process ends. Calls `onProgress` with the number of subscribers read.
 */
export async function reconcileNow(
  deps: ReconcileDeps,
  signal: AbortSignal,
  onProgress: (read: number) => void = () => undefined,
): Promise<Comparison> {
  const { db, newId } = deps;
  let run = await startComparison(db, newId(), 'now');
  for (;;) {
    run ??= await takeOverComparison(db, newId());
    if (run) await compare(deps, run, signal, onProgress);
    run = null;
    const comparison = await readComparison(db);
    if (comparison.leasedUntil === null) return comparison;
    onProgress(comparison.subscribersRead);
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Reads the rest of the list and compares. Returns false if another process took over. */
async function compare(
  deps: ReconcileDeps,
  { leasedBy, startedAt, ...begun }: ComparisonRun,
  signal: AbortSignal,
  onProgress: (read: number) => void = () => undefined,
): Promise<boolean> {
  const { db } = deps;
  let { cursor, subscribersRead } = begun;
  const fail = async (failure: string) => {
    await endComparison(db, leasedBy, { failure });
    return true;
  };
  const renew = () => renewComparison(db, leasedBy);
  try {
    if (cursor === null) await withLeaseRenewal(renew, judgeUnknown(db, signal));
    do {
      const askedAt = await readSyncTime(db);
      const answer = await withLeaseRenewal(renew, readPage(deps, cursor, signal));
      // This request involves no lead, so every other request would be refused too.
      if (answer.class === 'configuration')
        await pause(db, answer.message, answer.setting ?? 'BEEHIIV_API_KEY');
      if (!answer.page) return await fail(answer.message);
      const { subscribers, skipped, nextCursor } = answer.page;
      if (nextCursor !== null && nextCursor === cursor) return await fail(SAME_CURSOR);
      const isOurs = await db.transaction(async (trx) => {
        if (!(await lockComparison(trx, leasedBy))) return false;
        const unknown = await storeListed(trx, subscribers, askedAt);
        const read = { subscribers: subscribers.length, unknown, skipped };
        return advanceComparison(trx, leasedBy, { cursor: nextCursor ?? cursor, ...read });
      });
      if (!isOurs) return false;
      subscribersRead += subscribers.length;
      onProgress(subscribersRead);
      cursor = nextCursor;
    } while (cursor !== null);
    const isOurs = await db.transaction(async (trx) => {
      if (!(await lockComparison(trx, leasedBy))) return false;
      await endComparison(trx, leasedBy, await storeDifferences(trx, startedAt));
      return true;
    });
    return isOurs;
  } catch (error) {
    if (isRefused(error)) return fail(errorMessage(error));
    await releaseComparison(db, leasedBy).catch(() => undefined);
    throw error;
  }
}

/** Reads one page. Tries again after a transient failure or a 429, a few times. */
async function readPage(
  { rateLimiter, newsletter, backoffBaseMs, random }: ReconcileDeps,
  cursor: string | null,
  signal: AbortSignal,
): Promise<NewsletterPage<SubscriberPage>> {
  for (let attempts = 1; ; attempts++) {
    await rateLimiter.waitForSlot(signal, 'background');
    const answer = await newsletter.listSubscribers(cursor);
    const mayPass = answer.class === 'transient' || answer.class === 'rate-limited';
    if (!mayPass || attempts === MAX_ATTEMPTS) return answer;
    if (answer.class === 'transient')
      await sleep(backoffMs(attempts, backoffBaseMs / 30, random()), undefined, { signal });
  }
}
