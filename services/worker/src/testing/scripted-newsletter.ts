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
export function createScriptedNewsletter(beforeRequest: (email: string) => Promise<void> = () => Promise.resolve()) {
  const readers = new Map<string, Reader>();
  const tiers = new Map<string, Tier>();
  const seen = { requests: 0, addsOfThoseThere: 0 };
  let script: Script[] = [];

  const request = async (email: string, work: () => NewsletterAnswer): Promise<NewsletterAnswer> => {
    await beforeRequest(email);
    seen.requests += 1;
    const next = script.shift() ?? 'ok';
    switch (next) {
      case 'crash-before':
        throw new Crash(next);
      case 'fault-before':
        return { ...verdict(503, { class: 'transient', isOutcomeKnown: false }), subscriber: null };
      case 'wrong-key':
        return { ...verdict(401, { class: 'configuration', setting: 'BEEHIIV_API_KEY' }), subscriber: null };
      case 'too-many':
        return { ...verdict(429, { class: 'rate-limited', retryAfterMs: 5_000 }), subscriber: null };
      case 'refused':
        return { ...verdict(422, { class: 'permanent' }), subscriber: null };
      case 'invalid':
        return { ...verdict(201, { class: 'permanent' }), subscriber: null };
      case 'crash-after':
        work();
        throw new Crash(next);
      case 'fault-after':
        work();
        return { ...verdict(500, { class: 'transient', isOutcomeKnown: false }), subscriber: null };
      case 'ok':
        return work();
    }
  };
  const known = (email: string): NewsletterAnswer => ({
    ...verdict(readers.has(email) ? 200 : 404, {}),
    subscriber: readers.has(email) ? { id: `sub_${email}`, status: 'active' } : null,
  });

  const port: NewsletterPort = {
    add: (reader) =>
      request(reader.email, () => {
        if (readers.has(reader.email)) seen.addsOfThoseThere += 1;
        readers.set(reader.email, reader);
        return { ...known(reader.email), hasAdded: true };
      }),
    find: (email) => request(email, () => known(email)),
    update: (email, fields) =>
      request(email, () => {
        const reader = readers.get(email);
        if (reader) readers.set(email, { ...reader, fields: { ...reader.fields, ...fields } });
        return known(email);
      }),
    setTier: (email, tier) =>
      request(email, () => {
        if (readers.has(email)) tiers.set(email, tier);
        return known(email);
      }),
    remove: (id) =>
      request(id.replace(/^sub_/, ''), () => {
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
