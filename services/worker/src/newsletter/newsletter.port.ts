import type { AttemptClass } from '@site/schema/admin';

/** What we ask of a newsletter platform, in our words. One adapter speaks to one platform. */
export type NewsletterPort = {
  /** Adds a reader, or answers with the one already there. */
  add(reader: Reader): Promise<NewsletterAnswer>;
  /** Looks a reader up by address. A reader who is not there is an answer of class "accepted" without a subscriber. */
  find(email: string): Promise<NewsletterAnswer>;
  /** Brings the fields of a reader who is there up to date. */
  update(email: string, fields: Record<string, string>): Promise<NewsletterAnswer>;
};

export type Reader = {
  email: string;
  fields: Record<string, string>;
  utm: { source?: string; medium?: string; campaign?: string; term?: string; content?: string };
  referringSite?: string;
  /** The person asked for it: brings back a reader who had left. */
  reactivate: boolean;
  sendWelcomeEmail: boolean;
  doubleOptIn: 'on' | 'off' | 'not_set';
  automationIds: string[];
};

/** One answer, already classed. The rest of the worker never sees a status code to decide on. */
export type NewsletterAnswer = {
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
  subscriber: { id: string; status: string } | null;
  /** Which of our settings is at fault. */
  setting?: string;
  /** After "rate-limited": when the platform takes requests again. */
  retryAfterMs?: number;
};
