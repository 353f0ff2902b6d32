import type { Tier } from '@site/platform/database/tables';
import type { AnswerReason, AttemptClass } from '@site/schema/beehiiv-answers';

/** The worker's requests to a newsletter platform. Each platform has one adapter. */
export type NewsletterPort = {
  /** Adds a subscriber, or returns the existing one. */
  add(subscriber: NewSubscriber): Promise<NewsletterAnswer>;
  /**
   * Looks up a subscriber by email. For an absent subscriber the answer is "accepted" without a
   * subscriber.
   */
  find(email: string): Promise<NewsletterAnswer>;
  /** Updates the fields of an existing subscriber. */
  update(email: string, fields: Record<string, string>): Promise<NewsletterAnswer>;
  /**
   * Makes an unconfirmed subscriber active. Only another look-up shows whether the request took
   * effect.
   */
  activate(subscriberId: string): Promise<Verdict>;
  /**
   * Sets the tier of an existing subscriber. Accepted only if the answer shows that tier.
   * Idempotent.
   */
  setTier(email: string, tier: Tier): Promise<NewsletterAnswer>;
  /**
   * Unsubscribes an existing subscriber, so that they get no more mail. Takes premium from them,
   * and empties these fields. Idempotent.
   */
  unsubscribe(email: string, fields: string[]): Promise<NewsletterAnswer>;
  /** Deletes a subscriber. For an absent subscriber the answer is "accepted" too. */
  remove(subscriberId: string): Promise<NewsletterAnswer>;
  /** Lists one page of all subscribers, oldest first. The first page has no cursor. */
  listSubscribers(cursor: string | null): Promise<NewsletterPage<SubscriberPage>>;
  /** Lists one page, counted from 1, of the publication's custom fields. */
  listFields(page: number): Promise<NewsletterPage<{ names: string[]; hasMore: boolean }>>;
};

export type NewSubscriber = {
  email: string;
  fields: Record<string, string>;
  utm: { source?: string; medium?: string; campaign?: string; term?: string; content?: string };
  referringSite?: string;
  /** Reactivates an unsubscribed subscriber who has consented again or paid. */
  reactivate?: true;
  sendWelcomeEmail: boolean;
  doubleOptIn: 'on' | 'off' | 'not_set';
  automationIds: string[];
  /**
   * The setting that lists the automations, for the answer if the platform refuses an automation.
   */
  automationSetting: string;
};

/** A subscriber at the platform. `status` and `tier` are the platform's own words. */
export type Subscriber = { id: string; status: string; tier?: string | undefined };

export type SubscriberPage = {
  subscribers: (Subscriber & { email: string })[];
  skipped: number;
  nextCursor: string | null;
};

/** An answer and its class. Only the adapter decides by status codes. */
export type Verdict = {
  class: Exclude<AttemptClass, 'unknown'>;
  reason: AnswerReason;
  httpStatus: number | null;
  /** A sentence for the operator. */
  message: string;
  response: string;
  requestId: string | null;
  /** False if the request may have taken effect although no usable answer came. */
  isOutcomeKnown: boolean;
  setting?: string;
  /** The milliseconds for which the platform refuses requests, after "rate-limited". */
  retryAfterMs?: number;
};

export type NewsletterAnswer = Verdict & {
  subscriber: Subscriber | null;
  /** True on the answer to an addition. */
  hasAdded?: boolean;
};

export type NewsletterPage<T> = Verdict & { page: T | null };
