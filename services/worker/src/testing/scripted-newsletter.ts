import type { Tier } from '@site/platform/database/tables';
import { toJudged } from '@site/schema/beehiiv-answers';
import type { AnswerReason } from '@site/schema/beehiiv-answers';
import type {
  NewsletterAnswer,
  NewsletterPort,
  NewSubscriber,
  Verdict,
} from '../newsletter/newsletter.port.ts';

/** The newsletter's reaction to the next request that adds, looks up or updates. */
export const SCRIPTS = [
  'ok',
  'invalid',
  'refused',
  'wrong-key',
  'too-many',
  'failure-before',
  'failure-after',
  'crash-before',
  'crash-after',
  'frozen',
] as const;
export type Script = (typeof SCRIPTS)[number];

/** Our process ends here, and nothing after it runs. */
export class Crash extends Error {
  override name = 'Crash';
}

const verdict = (status: number, reason: AnswerReason, given: Partial<Verdict> = {}): Verdict => ({
  ...toJudged(reason),
  httpStatus: status,
  message: `answered ${status}`,
  response: String(status),
  requestId: null,
  isOutcomeKnown: true,
  ...given,
});

const WRONG_KEY = verdict(401, 'key-refused', { setting: 'BEEHIIV_API_KEY' });

/**
 * Creates a newsletter platform in memory, for interleavings that HTTP cannot produce. Counts a
 * forbidden event: adding somebody who is already subscribed. `hooks` see each request, play events
 * while a process is frozen with its answer, and pass a 429 on to everybody.
 */
export function createScriptedNewsletter(
  hooks: {
    beforeRequest?: (email: string) => Promise<void>;
    whileFrozen?: () => Promise<void>;
    onTooMany?: () => Promise<void>;
  } = {},
) {
  const subscribers = new Map<string, NewSubscriber>();
  const additions = new Map<string, number>();
  const tiers = new Map<string, Tier>();
  const inactive = new Set<string>();
  const unconfirmed = new Set<string>();
  const alwaysFailing = new Set<string>();
  const reactivated: string[] = [];
  const seen = { requests: 0, repeatedAdds: 0, reactivated: 0 };
  let script: Script[] = [];
  let isKeyRefused = false;

  const nextFor = (email: string): Script => {
    if (isKeyRefused) return 'wrong-key';
    return alwaysFailing.has(email) ? 'failure-before' : (script.shift() ?? 'ok');
  };
  const request = async (
    email: string,
    work: () => NewsletterAnswer,
  ): Promise<NewsletterAnswer> => {
    await hooks.beforeRequest?.(email);
    seen.requests += 1;
    const next = nextFor(email);
    switch (next) {
      case 'crash-before':
        throw new Crash(next);
      case 'failure-before':
        return { ...verdict(503, 'server-error', { isOutcomeKnown: false }), subscriber: null };
      case 'wrong-key':
        return { ...WRONG_KEY, subscriber: null };
      case 'too-many':
        await hooks.onTooMany?.();
        return { ...verdict(429, 'rate-limited', { retryAfterMs: 5_000 }), subscriber: null };
      case 'refused':
        return { ...verdict(422, 'email-invalid'), subscriber: null };
      case 'invalid':
        return { ...verdict(201, 'email-rejected'), subscriber: null };
      case 'crash-after':
        work();
        throw new Crash(next);
      case 'failure-after':
        work();
        return { ...verdict(500, 'server-error', { isOutcomeKnown: false }), subscriber: null };
      case 'frozen': {
        const answer = work();
        await hooks.whileFrozen?.();
        return answer;
      }
      case 'ok':
        return work();
    }
  };
  const known = (email: string): NewsletterAnswer => ({
    ...(subscribers.has(email) ? verdict(200, 'accepted') : verdict(404, 'not-subscribed')),
    subscriber: subscribers.has(email)
      ? {
          id: `sub_${email}`,
          status: inactive.has(email) ? 'inactive' : unconfirmed.has(email) ? 'pending' : 'active',
          tier: tiers.get(email) ?? 'free',
        }
      : null,
  });

  const port: NewsletterPort = {
    add: (subscriber) =>
      request(subscriber.email, () => {
        const isReactivated = inactive.has(subscriber.email) && subscriber.reactivate;
        if (isReactivated) {
          seen.reactivated += 1;
          reactivated.push(subscriber.email);
          inactive.delete(subscriber.email);
        } else if (subscribers.has(subscriber.email)) seen.repeatedAdds += 1;
        if (!subscribers.has(subscriber.email)) additions.set(subscriber.email, seen.requests);
        subscribers.set(subscriber.email, subscriber);
        return { ...known(subscriber.email), hasAdded: true };
      }),
    find: (email) => request(email, () => known(email)),
    update: (email, fields) =>
      request(email, () => {
        const subscriber = subscribers.get(email);
        if (subscriber)
          subscribers.set(email, { ...subscriber, fields: { ...subscriber.fields, ...fields } });
        return known(email);
      }),
    activate: (id) =>
      request(id.replace(/^sub_/, ''), () => {
        unconfirmed.delete(id.replace(/^sub_/, ''));
        return known(id.replace(/^sub_/, ''));
      }),
    setTier: (email, tier) =>
      request(email, () => {
        if (subscribers.has(email)) tiers.set(email, tier);
        return known(email);
      }),
    unsubscribe: (email, fields) =>
      request(email, () => {
        const subscriber = subscribers.get(email);
        if (subscriber) {
          inactive.add(email);
          tiers.delete(email);
          const left = Object.entries(subscriber.fields).filter(([name]) => !fields.includes(name));
          subscribers.set(email, { ...subscriber, fields: Object.fromEntries(left) });
        }
        return known(email);
      }),
    remove: (id) =>
      request(id.replace(/^sub_/, ''), () => {
        subscribers.delete(id.replace(/^sub_/, ''));
        additions.delete(id.replace(/^sub_/, ''));
        tiers.delete(id.replace(/^sub_/, ''));
        inactive.delete(id.replace(/^sub_/, ''));
        return { ...verdict(204, 'accepted'), subscriber: null };
      }),
    listSubscribers: () =>
      Promise.resolve({
        ...verdict(200, 'accepted'),
        page: { subscribers: [], skipped: 0, nextCursor: null },
      }),
    listFields: () =>
      Promise.resolve(
        isKeyRefused
          ? { ...WRONG_KEY, page: null }
          : { ...verdict(200, 'accepted'), page: { names: [], hasMore: false } },
      ),
  };
  return {
    port,
    subscribers,
    tiers,
    seen,
    /** Emails that an addition has made active again, since the last call. */
    takeReactivated: () => reactivated.splice(0),
    unsubscribe: (email: string) => inactive.add(email),
    /** Makes a subscriber wait for their own confirmation. */
    unconfirm: (email: string) => unconfirmed.add(email),
    /** Deletes a subscriber without a request. */
    forget: (email: string) => subscribers.delete(email) && tiers.delete(email),
    /** Returns a subscriber without a request. */
    look: (email: string) => known(email).subscriber,
    /** Returns the number of the request that added a subscriber, or undefined. */
    findAddition: (email: string) => additions.get(email),
    /** Makes every request about an email fail from now on. */
    failAlways: (email: string) => alwaysFailing.add(email),
    /** Ends `failAlways` for every email. */
    failNoLonger: () => alwaysFailing.clear(),
    /** Refuses or accepts the key, for every request. */
    refuseKey(isRefused: boolean) {
      isKeyRefused = isRefused;
    },
    /** Sets the outcomes of the next requests, in order. Later requests succeed. */
    play(next: Script[]) {
      script = [...next];
    },
  };
}
