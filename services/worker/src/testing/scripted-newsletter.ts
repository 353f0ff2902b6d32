import type { Tier } from '@site/platform/database/tables';
import type { NewsletterAnswer, NewsletterPort, Reader, Verdict } from '../newsletter/newsletter.port.ts';

/** What the other side does with the next request that adds, looks up or updates. */
export const SCRIPTS = [
  'ok',
  'invalid',
  'refused',
  'wrong-key',
  'too-many',
  'fault-before',
  'fault-after',
  'crash-before',
  'crash-after',
] as const;
export type Script = (typeof SCRIPTS)[number];

/** Our process ended at this point: nothing after it runs. */
export class Crash extends Error {
  override name = 'Crash';
}

const verdict = (status: number, given: Partial<Verdict>): Verdict => ({
  class: 'accepted',
  httpStatus: status,
  message: `answered ${status}`,
  response: String(status),
  requestId: null,
  isOutcomeKnown: true,
  saysAlreadyThere: false,
  ...given,
});

/**
 * A newsletter platform in memory, for interleavings that no wire can be made to produce on purpose. It
 * keeps who is there, and counts what must never happen: an add for somebody who was there already.
 */
export function createScriptedNewsletter() {
  const readers = new Map<string, Reader>();
  const tiers = new Map<string, Tier>();
  const seen = { requests: 0, addsOfThoseThere: 0 };
  let script: Script[] = [];

  const request = (work: () => NewsletterAnswer): Promise<NewsletterAnswer> => {
    seen.requests += 1;
    const next = script.shift() ?? 'ok';
    switch (next) {
      case 'crash-before':
        return Promise.reject(new Crash(next));
      case 'fault-before':
        return Promise.resolve({ ...verdict(503, { class: 'transient', isOutcomeKnown: false }), subscriber: null });
      case 'wrong-key':
        return Promise.resolve({
          ...verdict(401, { class: 'configuration', setting: 'BEEHIIV_API_KEY' }),
          subscriber: null,
        });
      case 'too-many':
        return Promise.resolve({ ...verdict(429, { class: 'rate-limited', retryAfterMs: 5_000 }), subscriber: null });
      case 'refused':
        return Promise.resolve({ ...verdict(422, { class: 'permanent' }), subscriber: null });
      case 'invalid':
        return Promise.resolve({ ...verdict(201, { class: 'permanent' }), subscriber: null });
      case 'crash-after':
        work();
        return Promise.reject(new Crash(next));
      case 'fault-after':
        work();
        return Promise.resolve({ ...verdict(500, { class: 'transient', isOutcomeKnown: false }), subscriber: null });
      case 'ok':
        return Promise.resolve(work());
    }
  };
  const known = (email: string): NewsletterAnswer => ({
    ...verdict(readers.has(email) ? 200 : 404, {}),
    subscriber: readers.has(email) ? { id: `sub_${email}`, status: 'active' } : null,
  });

  const port: NewsletterPort = {
    add: (reader) =>
      request(() => {
        if (readers.has(reader.email)) seen.addsOfThoseThere += 1;
        readers.set(reader.email, reader);
        return known(reader.email);
      }),
    find: (email) => request(() => known(email)),
    update: (email, fields) =>
      request(() => {
        const reader = readers.get(email);
        if (reader) readers.set(email, { ...reader, fields: { ...reader.fields, ...fields } });
        return known(email);
      }),
    setTier: (email, tier) =>
      request(() => {
        if (readers.has(email)) tiers.set(email, tier);
        return known(email);
      }),
    remove: (id) =>
      request(() => {
        readers.delete(id.replace(/^sub_/, ''));
        return { ...verdict(204, {}), subscriber: null };
      }),
    listReaders: () => Promise.resolve({ ...verdict(200, {}), page: { readers: [], nextCursor: null } }),
    listFields: () => Promise.resolve({ ...verdict(200, {}), page: { names: [], hasMore: false } }),
  };
  return {
    port,
    readers,
    tiers,
    seen,
    /** Says what becomes of the next requests, in order; after them all is well. */
    play(next: Script[]) {
      script = [...next];
    },
  };
}
