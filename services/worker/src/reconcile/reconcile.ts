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
 * Compares what we sent with what the newsletter has. Reads the whole list there, through the rate limiter, and
 * changes nothing but what is known of the subscribers' statuses. Mending is `repair.ts`.
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

const MOST_TRIES_A_PAGE = 6;
const LIST_STANDS_STILL = 'Beehiiv names the same page as the next one again and again';

/** Reads the newsletter's list to its end and compares. `onProgress` hears of every page. */
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
      if (nextCursor !== null && nextCursor === cursor) return { kind: 'could-not-check', message: LIST_STANDS_STILL };
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

/** One page; tried again after a passing fault, and given up after a lasting one. */
async function readPage(
  { db, rateLimiter, newsletter, backoffBaseMs, random }: ReconcileDeps,
  cursor: string | null,
  signal: AbortSignal,
): Promise<NewsletterPage<SubscriberPage>> {
  for (let tries = 1; ; tries++) {
    await rateLimiter.pass(signal, 'background');
    const answer = await newsletter.listSubscribers(cursor);
    const isPassing = answer.class === 'transient' || answer.class === 'rate-limited';
    if (!isPassing || tries === MOST_TRIES_A_PAGE) return answer;
    if (answer.class === 'rate-limited') await pauseSlots(db, answer.retryAfterMs ?? 0);
    else await sleep(backoffMs(tries, backoffBaseMs / 30, random()), undefined, { signal });
  }
}
