import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore, Subscriber } from './beehiiv.store.ts';
import type { SubscriptionAnswer } from './subscription-answer.ts';
import { toSubscriptionAnswer } from './subscription-answer.ts';
import type { ListQuery } from './subscription.schemas.ts';

const DEFAULT_LIMIT = 10;

/** Beehiiv's documents disagree: the page details are beside `data` (flat) or inside `pagination` (nested). */
export type ListEnvelope = 'flat' | 'nested';

/** Returns one page of subscribers, by cursor or, if the query has one, by the older page number. */
export function listSubscribers(store: BeehiivStore, query: ListQuery, envelope: ListEnvelope) {
  const matching = store.all().filter((subscriber) => matches(store, subscriber, query));
  if (query.direction === 'desc') matching.reverse();
  const limit = query.limit ?? DEFAULT_LIMIT;
  const start =
    query.page === undefined ? startAfter(matching, query.cursor) : (query.page - 1) * limit;
  const shown = matching.slice(start, start + limit);
  const data: SubscriptionAnswer[] = shown.map((subscriber) =>
    toSubscriptionAnswer(store, subscriber, query.expand),
  );
  const last = shown.at(-1);
  const hasMore = start + limit < matching.length;

  const facts =
    query.page === undefined
      ? {
          limit,
          has_more: hasMore,
          next_cursor: hasMore && last ? toCursor(last) : null,
          ...(query.include_total === 'true' && { total_results: matching.length }),
        }
      : {
          limit,
          page: query.page,
          total_results: matching.length,
          total_pages: Math.max(1, Math.ceil(matching.length / limit)),
        };
  return envelope === 'nested' ? { data, pagination: facts } : { data, ...facts };
}

function matches(store: BeehiivStore, subscriber: Subscriber, query: ListQuery): boolean {
  const { status = 'all', tier = 'all', email, creation_date: day } = query;
  const tiers = [...(query.premium_tiers ?? []), ...(query.premium_tier_ids ?? [])];
  return (
    (status === 'all' || store.statusOf(subscriber) === status) &&
    (tier === 'all' || subscriber.tier === tier) &&
    (email === undefined || subscriber.email.toLowerCase() === email.toLowerCase()) &&
    (tiers.length === 0 || subscriber.premiumTierNames.some((name) => tiers.includes(name))) &&
    (day === undefined ||
      new Date(subscriber.created * 1_000).toISOString().slice(0, 10) === day.replaceAll('/', '-'))
  );
}

function toCursor(subscriber: Subscriber): string {
  return Buffer.from(subscriber.id).toString('base64url');
}

function startAfter(subscribers: Subscriber[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const id = Buffer.from(cursor, 'base64url').toString();
  const index = subscribers.findIndex((subscriber) => subscriber.id === id);
  if (index === -1) throw new BeehiivFault(400, 'Invalid cursor', 'INVALID_CURSOR');
  return index + 1;
}
