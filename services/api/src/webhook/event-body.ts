import { toDelivery } from './stripe-event.ts';

/** Ids in a body by which a person's things are known again: Stripe's, and our leads'. */
export function idsIn(rawBody: string): string[] {
  const found = rawBody.match(/\b(?:(?:sub|cus|cs|in|ch|py|du|dp)_\w+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/g);
  return [...new Set(found)];
}

/** A body without what it says of a person: enough to try the event again, which names what is read from Stripe. */
export function withoutPerson(rawBody: string): string {
  const { id, type, readable } = toDelivery(parseJson(rawBody), rawBody);
  if (readable === null) return JSON.stringify({ erased: true });
  const object = typeof readable.object['id'] === 'string' ? { id: readable.object['id'] } : {};
  return JSON.stringify({ id, type, livemode: readable.isLive, data: { object } });
}

/** Null for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
