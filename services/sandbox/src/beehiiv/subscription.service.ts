import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore, Subscriber, SubscriberStatus } from './beehiiv.store.ts';
import { readMagicTag } from './magic-emails.ts';
import type {
  CustomFieldValue,
  ListQuery,
  SubscriptionRequest,
  SubscriptionUpdate,
} from './subscription.schema.ts';

const DEFAULT_LIMIT = 10;

export type SubscriptionAnswer = ReturnType<typeof toSubscriptionAnswer>;

/**
 * Adds a subscriber. An existing one stays unchanged, unless they unsubscribed and the request
 * reactivates them.
 */
export function subscribe(
  store: BeehiivStore,
  request: SubscriptionRequest,
): { subscriber: Subscriber; isNew: boolean } {
  const stored = findSubscriber(store, request.email);
  if (stored) {
    stored.lastRequest = request;
    if (stored.status === 'inactive' && request.reactivate_existing === true)
      store.setStatus(stored, statusOfNew(request));
    store.touched();
    return { subscriber: stored, isNew: false };
  }
  const subscriber = store.add(request, statusOfNew(request));
  setCustomFields(store, subscriber, request.custom_fields ?? []);
  return { subscriber, isNew: true };
}

/** Looks up an email. A magic email that should already exist is created by its first look-up. */
export function findSubscriber(store: BeehiivStore, email: string): Subscriber | undefined {
  const stored = store.findByEmail(email);
  if (stored) return stored;
  const tag = readMagicTag(email);
  if ((tag !== 'exists' && tag !== 'inactive') || !store.spendMagic(email)) return undefined;
  return store.add({ email, utm_source: 'earlier' }, tag === 'exists' ? 'active' : 'inactive');
}

export function updateSubscriber(
  store: BeehiivStore,
  subscriber: Subscriber,
  update: SubscriptionUpdate,
): void {
  // `unsubscribe: false` has no effect. Only a POST with reactivate_existing reactivates.
  if (update.unsubscribe === true) store.setStatus(subscriber, 'inactive');
  setCustomFields(store, subscriber, update.custom_fields ?? []);
  store.setTier(subscriber, update.tier ?? subscriber.tier);
  store.touched();
}

/** Confirms a pending subscriber, like the link in the confirmation email. */
export function confirmSubscriber(store: BeehiivStore, subscriber: Subscriber): void {
  if (subscriber.status === 'pending') store.setStatus(subscriber, 'active');
}

function statusOfNew(request: SubscriptionRequest): SubscriberStatus {
  const tag = readMagicTag(request.email);
  if (tag === 'invalid') return 'invalid';
  return tag === 'pending' || request.double_opt_override === 'on' ? 'pending' : 'validating';
}

function setCustomFields(
  store: BeehiivStore,
  subscriber: Subscriber,
  fields: NonNullable<SubscriptionUpdate['custom_fields']>,
): void {
  for (const { name, value, delete: isDeleted } of fields) {
    // Beehiiv silently drops unknown names.
    if (!store.findField(name)) continue;
    if (isDeleted) delete subscriber.customFields[name];
    else subscriber.customFields[name] = value;
  }
}

/** Renders a subscriber as Beehiiv does. Custom fields are included only if requested. */
export function toSubscriptionAnswer(
  store: BeehiivStore,
  subscriber: Subscriber,
  hasCustomFields = false,
) {
  const { utm } = subscriber;
  return {
    id: subscriber.id,
    email: subscriber.email,
    status: store.statusOf(subscriber),
    created: subscriber.created,
    subscription_tier: subscriber.tier,
    subscription_premium_tier_names: subscriber.tier === 'premium' ? ['Premium'] : [],
    utm_source: utm.source,
    utm_medium: utm.medium,
    utm_channel: 'api',
    utm_campaign: utm.campaign,
    utm_term: utm.term,
    utm_content: utm.content,
    referring_site: subscriber.referringSite,
    referral_code: subscriber.referralCode,
    ...(hasCustomFields && { custom_fields: listFields(store, subscriber) }),
  };
}

function listFields(store: BeehiivStore, { customFields }: Subscriber) {
  return store.customFields().flatMap(({ display: name, kind }) => {
    const value: CustomFieldValue | undefined = customFields[name];
    return value === undefined ? [] : [{ name, kind, value }];
  });
}

/** Returns one page of subscribers. */
export function listSubscribers(store: BeehiivStore, query: ListQuery) {
  const email = query.email?.toLowerCase();
  const matching = store
    .all()
    .filter((each) => email === undefined || each.email.toLowerCase() === email);
  if (query.direction === 'desc') matching.reverse();
  const { limit = DEFAULT_LIMIT } = query;
  const start = startAfter(matching, query.cursor);
  const shown = matching.slice(start, start + limit);
  const last = shown.at(-1);
  const hasMore = start + limit < matching.length;
  return {
    data: shown.map((subscriber) => toSubscriptionAnswer(store, subscriber, query.expand)),
    limit,
    has_more: hasMore,
    next_cursor: hasMore && last ? Buffer.from(last.id).toString('base64url') : null,
  };
}

function startAfter(subscribers: Subscriber[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const id = Buffer.from(cursor, 'base64url').toString();
  const index = subscribers.findIndex((subscriber) => subscriber.id === id);
  if (index === -1) throw new BeehiivFault(400, 'Invalid cursor', 'INVALID_CURSOR');
  return index + 1;
}
