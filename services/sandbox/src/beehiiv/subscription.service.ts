import { BeehiivFault } from './beehiiv-fault.ts';
import type { BeehiivStore, Subscriber } from './beehiiv.store.ts';
import { readMagicTag } from './magic-addresses.ts';
import type { SubscriptionRequest, SubscriptionUpdate } from './subscription.schemas.ts';

/**
 * Adds a subscriber. An existing one stays unchanged, unless they unsubscribed and the request reactivates them.
 */
export function subscribe(
  store: BeehiivStore,
  request: SubscriptionRequest,
): { subscriber: Subscriber; isNew: boolean } {
  const known = findSubscriber(store, request.email);
  if (known) {
    known.lastRequest = request;
    if (known.status === 'inactive' && request.reactivate_existing === true) {
      known.status = store.confirmsReactivation ? statusOfNew(request) : 'validating';
      known.validatingSinceMs = store.nowMs();
    }
    store.touched();
    return { subscriber: known, isNew: false };
  }
  const subscriber = store.add(request, statusOfNew(request));
  setCustomFields(store, subscriber, request.custom_fields ?? []);
  setTier(subscriber, request);
  return { subscriber, isNew: true };
}

/** Looks up an address. A magic address that should already exist is created by its first look-up. */
export function findSubscriber(store: BeehiivStore, email: string): Subscriber | undefined {
  const known = store.findByEmail(email);
  if (known) return known;
  const tag = readMagicTag(email);
  if ((tag !== 'exists' && tag !== 'inactive') || !store.spendMagic(email)) return undefined;
  return store.add({ email, utm_source: 'earlier' }, tag === 'exists' ? 'active' : 'inactive');
}

export function updateSubscriber(
  store: BeehiivStore,
  subscriber: Subscriber,
  update: SubscriptionUpdate,
): void {
  if (update.email !== undefined && update.email.toLowerCase() !== subscriber.email.toLowerCase()) {
    if (store.findByEmail(update.email))
      throw new BeehiivFault(400, 'Email has already been taken', 'TAKEN');
    store.rename(subscriber, update.email);
  }
  // `unsubscribe: false` has no effect. Only a POST with reactivate_existing reactivates.
  if (update.unsubscribe === true) subscriber.status = 'inactive';
  if (update.stripe_customer_id !== undefined)
    subscriber.stripeCustomerId = update.stripe_customer_id;
  setCustomFields(store, subscriber, update.custom_fields ?? []);
  setTier(subscriber, update);
  store.touched();
}

/** Confirms a pending subscriber, like the link in the confirmation email. */
export function confirmSubscriber(store: BeehiivStore, subscriber: Subscriber): void {
  if (subscriber.status === 'pending') subscriber.status = 'active';
  store.touched();
}

function statusOfNew(request: SubscriptionRequest): 'invalid' | 'pending' | 'validating' {
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
    if (isDeleted === true || value === undefined) delete subscriber.customFields[name];
    else subscriber.customFields[name] = value;
  }
}

function setTier(
  subscriber: Subscriber,
  wanted: Pick<SubscriptionUpdate, 'tier' | 'premium_tiers' | 'premium_tier_ids'>,
): void {
  const names = new Set([...(wanted.premium_tiers ?? []), ...(wanted.premium_tier_ids ?? [])]);
  if (names.size > 0) {
    subscriber.tier = 'premium';
    subscriber.premiumTierNames = [...names];
  } else if (wanted.tier !== undefined) {
    subscriber.tier = wanted.tier;
    subscriber.premiumTierNames = wanted.tier === 'premium' ? ['Premium'] : [];
  }
}
