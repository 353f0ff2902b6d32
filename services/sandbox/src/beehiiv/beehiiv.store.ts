import type { BeehiivEventType } from '@site/schema/beehiiv-events';
import { listCustomFields } from '@site/schema/lead-fields';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { epochSeconds } from '../clock.ts';
import type { CustomFieldValue, SubscriptionRequest } from './subscription.schema.ts';

/** The time that Beehiiv checks an email, before `validating` becomes `active`. */
const VALIDATING_MS = 1_500;

export type SubscriberStatus = 'validating' | 'invalid' | 'pending' | 'active' | 'inactive';

export type Subscriber = {
  id: string;
  email: string;
  status: SubscriberStatus;
  validatingSinceMs: number;
  created: number;
  tier: 'free' | 'premium';
  utm: Record<'source' | 'medium' | 'campaign' | 'term' | 'content', string>;
  referringSite: string;
  referralCode: string;
  customFields: Record<string, CustomFieldValue>;
  /** The body of the last POST with this email, for tests and `/_control`. */
  lastRequest: SubscriptionRequest | null;
};

export type CustomField = { id: string; kind: string; display: string; created: number };

export type Webhook = {
  id: string;
  url: string;
  event_types: BeehiivEventType[];
  description: string;
  created: number;
  updated: number;
};

/** Announces an event about a subscriber, now or after a delay. */
export type Announce = (type: BeehiivEventType, subscriber: Subscriber, afterMs?: number) => void;

export type BeehiivState = {
  webhooks?: Webhook[];
  subscribers: Subscriber[];
  customFields: CustomField[];
  /** Magic emails whose one-time effect has happened. */
  spentMagic: string[];
};

export type BeehiivStore = ReturnType<typeof createBeehiivStore>;

/** Keeps the publication's subscribers and custom fields in memory. Emails are case-insensitive. */
export function createBeehiivStore(clock: Clock, touched: () => void, announce: Announce) {
  const byEmail = new Map<string, Subscriber>();
  const byId = new Map<string, Subscriber>();
  let customFields: CustomField[] = seedFields();
  let webhooks: readonly Webhook[] = [];
  const spentMagic = new Set<string>();

  function seedFields(): CustomField[] {
    const created = epochSeconds(clock);
    // The publication has the product's fields from the start.
    return listCustomFields().map((display) => ({
      id: randomUUID(),
      kind: 'string',
      display,
      created,
    }));
  }

  function index(subscriber: Subscriber): void {
    byEmail.set(subscriber.email.toLowerCase(), subscriber);
    byId.set(subscriber.id, subscriber);
  }

  function removeAll(): void {
    byEmail.clear();
    byId.clear();
    spentMagic.clear();
  }

  /** Announces a new status, as documented: somebody who unsubscribes is "deleted". */
  function announceStatus(subscriber: Subscriber): void {
    const { status } = subscriber;
    if (status === 'inactive') announce('subscription.deleted', subscriber);
    else if (status === 'active') announce('subscription.confirmed', subscriber);
    else if (status === 'validating') announce('subscription.confirmed', subscriber, VALIDATING_MS);
  }

  return {
    touched,
    nowMs: (): number => clock.now().getTime(),
    all: (): Subscriber[] => [...byId.values()],
    findByEmail: (email: string): Subscriber | undefined => byEmail.get(email.toLowerCase()),
    findById: (id: string): Subscriber | undefined => byId.get(id),
    statusOf(subscriber: Subscriber): SubscriberStatus {
      if (subscriber.status !== 'validating') return subscriber.status;
      return clock.now().getTime() - subscriber.validatingSinceMs >= VALIDATING_MS
        ? 'active'
        : 'validating';
    },
    add(request: SubscriptionRequest, status: SubscriberStatus): Subscriber {
      const subscriber: Subscriber = {
        id: `sub_${randomUUID()}`,
        email: request.email,
        status,
        validatingSinceMs: clock.now().getTime(),
        created: epochSeconds(clock),
        tier: 'free',
        utm: {
          source: request.utm_source ?? '',
          medium: request.utm_medium ?? '',
          campaign: request.utm_campaign ?? '',
          term: request.utm_term ?? '',
          content: request.utm_content ?? '',
        },
        referringSite: request.referring_site ?? '',
        referralCode: randomBytes(5).toString('base64url').slice(0, 6),
        customFields: {},
        lastRequest: request,
      };
      index(subscriber);
      touched();
      announce('subscription.created', subscriber);
      announceStatus(subscriber);
      return subscriber;
    },
    setStatus(subscriber: Subscriber, status: SubscriberStatus): void {
      const isNew = subscriber.status !== status;
      subscriber.status = status;
      if (status === 'validating') subscriber.validatingSinceMs = clock.now().getTime();
      touched();
      if (isNew) announceStatus(subscriber);
    },
    setTier(subscriber: Subscriber, tier: Subscriber['tier']): void {
      if (subscriber.tier === tier) return;
      subscriber.tier = tier;
      touched();
      const isRaised = tier === 'premium';
      announce(isRaised ? 'subscription.upgraded' : 'subscription.downgraded', subscriber);
      announce(isRaised ? 'subscription.tier.created' : 'subscription.tier.deleted', subscriber);
    },
    webhooks: () => webhooks,
    setWebhooks(next: readonly Webhook[]): void {
      webhooks = next;
      touched();
    },
    remove(subscriber: Subscriber): void {
      byEmail.delete(subscriber.email.toLowerCase());
      byId.delete(subscriber.id);
      touched();
      announce('subscription.deleted', subscriber);
    },
    customFields: (): readonly CustomField[] => customFields,
    findField: (display: string): CustomField | undefined =>
      customFields.find((field) => field.display === display),
    /** Removes a custom field, as an operator can in Beehiiv. */
    removeField(display: string): void {
      customFields = customFields.filter((field) => field.display !== display);
      touched();
    },
    /** Returns true the first time for each email. */
    spendMagic(email: string): boolean {
      const key = email.toLowerCase();
      if (spentMagic.has(key)) return false;
      spentMagic.add(key);
      touched();
      return true;
    },
    snapshot: (): BeehiivState => ({
      webhooks: [...webhooks],
      subscribers: [...byId.values()],
      customFields,
      spentMagic: [...spentMagic],
    }),
    load(state: BeehiivState): void {
      removeAll();
      for (const subscriber of state.subscribers) index(subscriber);
      customFields = state.customFields;
      webhooks = state.webhooks ?? [];
      for (const key of state.spentMagic) spentMagic.add(key);
    },
    reset(): void {
      removeAll();
      customFields = seedFields();
      touched();
    },
  };
}
