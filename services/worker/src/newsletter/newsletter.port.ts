import type { Tier } from '@site/platform/database/tables';
import type { AttemptClass } from '@site/schema/admin';

/** What we ask of a newsletter platform, in our words. One adapter speaks to one platform. */
export type NewsletterPort = {
  /** Adds a subscriber, or answers with the one already there. */
  add(subscriber: NewSubscriber): Promise<NewsletterAnswer>;
  /** Looks a subscriber up by address. One who is not there is an answer of class "accepted" without a subscriber. */
  find(email: string): Promise<NewsletterAnswer>;
  /** Brings the fields of a subscriber who is there up to date. */
  update(email: string, fields: Record<string, string>): Promise<NewsletterAnswer>;
  /** Gives a subscriber who is there the paid issue, or takes it away. Doing it twice does no harm. */
  setTier(email: string, tier: Tier): Promise<NewsletterAnswer>;
  /** Deletes a subscriber for good. One who is not there any more is an answer of class "accepted" as well. */
  remove(subscriberId: string): Promise<NewsletterAnswer>;
  /** One page of everybody there, oldest first; the first without a cursor. */
  listSubscribers(cursor: string | null): Promise<NewsletterPage<SubscriberPage>>;
  /** One page, from 1, of the names of the custom fields that the publication has. */
  listFields(page: number): Promise<NewsletterPage<{ names: string[]; hasMore: boolean }>>;
};

export type NewSubscriber = {
  email: string;
  fields: Record<string, string>;
  utm: { source?: string; medium?: string; campaign?: string; term?: string; content?: string };
  referringSite?: string;
  /** The person asked for it: brings back a subscriber who had left. */
  reactivate: boolean;
  sendWelcomeEmail: boolean;
  doubleOptIn: 'on' | 'off' | 'not_set';
  automationIds: string[];
};

/** A subscriber as the platform knows them; `status` is the platform's own word. */
export type Subscriber = { id: string; status: string };

export type SubscriberPage = { subscribers: (Subscriber & { email: string })[]; nextCursor: string | null };

/** One answer, already classed. The rest of the worker never sees a status code to decide on. */
export type Verdict = {
  class: Exclude<AttemptClass, 'unknown'>;
  httpStatus: number | null;
  /** A sentence for the operator. */
  message: string;
  /** Status and body as they came, for the record. */
  response: string;
  requestId: string | null;
  /** False when the request may have been carried out although no usable answer came. */
  isOutcomeKnown: boolean;
  /** The platform says the address is there already. */
  saysAlreadyThere: boolean;
  /** Which of our settings is at fault. */
  setting?: string;
  /** After "rate-limited": when the platform takes requests again. */
  retryAfterMs?: number;
};

export type NewsletterAnswer = Verdict & {
  subscriber: Subscriber | null;
  /** True on the answer to an addition. */
  hasAdded?: boolean;
};

export type NewsletterPage<T> = Verdict & { page: T | null };
