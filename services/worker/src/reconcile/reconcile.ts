import type { Database } from '@site/platform/database/connect';
import { pauseSlots } from '../newsletter/slots.repository.ts';
import {
  addListedSubscribers,
  startReconcile,
  countSentLeads,
  findDifferences,
  deleteListedSubscribers,
} from './reconcile.repository.ts';
import type { Differences } from './reconcile.repository.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPage, NewsletterPort, SubscriberPage } from '../newsletter/newsletter.port.ts';
import { backoffMs } from '../sync/backoff.ts';

/*
 * Compares sent leads with the newsletter. Reads the newsletter's whole list, at background priority, and changes only
 * the stored statuses of subscribers.
 * Before: `periodic-tasks.ts` each night, or `npm run reconcile`. Next: with --fix, `repair.ts` adds missing subscribers.
 */

export type ReconcileDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: NewsletterPort;
  newId: () => string;
  backoffBaseMs: number;
  random: () => number;
};

export type ReconcileResult = ({ kind: 'compared' } & Differences) | { kind: 'could-not-check'; message: string };

export type ListProgress = { read: number; expected: number };

const MAX_ATTEMPTS = 6;
const SAME_CURSOR = 'Beehiiv returned the same page twice';

/** Reads the newsletter's whole list and compares. Calls `onProgress` after each page. */
export async function reconcile(
  deps: ReconcileDeps,
  signal: AbortSignal,
  onProgress: (progress: ListProgress) => void = () => undefined,
): Promise<ReconcileResult> {
  const { db } = deps;
  const run = deps.newId();
  const startedAt = await startReconcile(db);
  const expected = await countSentLeads(db);
  let read = 0;
  let cursor: string | null = null;
  try {
    do {
      const answer: NewsletterPage<SubscriberPage> = await readPage(deps, cursor, signal);
      if (!answer.page) return { kind: 'could-not-check', message: answer.message };
      const { subscribers, nextCursor } = answer.page;
      if (nextCursor !== null && nextCursor === cursor) return { kind: 'could-not-check', message: SAME_CURSOR };
      await addListedSubscribers(db, run, subscribers);
      read += subscribers.length;
      onProgress({ read, expected });
      cursor = nextCursor;
    } while (cursor !== null);
    return { kind: 'compared', ...(await findDifferences(db, run, startedAt)) };
  } finally {
    await deleteListedSubscribers(db, run);
  }
}

/** Reads one page. Tries again after a transient failure or a 429, a few times. */
async function readPage(
  { db, rateLimiter, newsletter, backoffBaseMs, random }: ReconcileDeps,
  cursor: string | null,
  signal: AbortSignal,
): Promise<NewsletterPage<SubscriberPage>> {
  for (let attempts = 1; ; attempts++) {
    await rateLimiter.waitForSlot(signal, 'background');
    const answer = await newsletter.listSubscribers(cursor);
    const mayPass = answer.class === 'transient' || answer.class === 'rate-limited';
    if (!mayPass || attempts === MAX_ATTEMPTS) return answer;
    if (answer.class === 'rate-limited') await pauseSlots(db, answer.retryAfterMs ?? 0);
    else await sleep(backoffMs(attempts, backoffBaseMs / 30, random()), undefined, { signal });
  }
}
