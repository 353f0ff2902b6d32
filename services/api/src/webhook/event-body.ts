import { toDelivery } from './stripe-event.ts';

/** Lists the ids in a body that may identify a person: Stripe's, and our leads'. */
export function idsIn(rawBody: string): string[] {
  const found = rawBody.match(
    /\b(?:(?:sub|cus|cs|in|ch|py|du|dp|re|pyr)_\w+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/g,
  );
  return [...new Set(found)];
}

/** Removes personal data from a body. What remains is enough to retry the event, which reads its object from Stripe. */
export function withoutPerson(rawBody: string): string {
  const { id, type, readable } = toDelivery(parseJson(rawBody), rawBody, 'replay');
  if (readable === null) return JSON.stringify({ erased: true });
  const object = typeof readable.object['id'] === 'string' ? { id: readable.object['id'] } : {};
  return JSON.stringify({ id, type, livemode: readable.isLive, data: { object } });
}

/** Parses JSON. Returns null for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
