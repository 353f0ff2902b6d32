/** Plus tags in the local part that bring about an answer of the newsletter service, for the overview page too. */
export const MAGIC_TAGS = {
  invalid: 'accepted with a 2xx, but with the status "invalid"',
  pending: 'accepted, and waits for the reader’s click for ever',
  inactive: 'a reader who unsubscribed earlier; comes back only with reactivate_existing',
  exists: 'is on the list already; answered with 200 and left as it was',
  '422': 'refused for good',
  '500': 'fails every time',
  '429': 'refused by the rate limit once, with a reset 5 seconds on; then accepted',
  hang: 'never answered',
  reset: 'stored, but the connection breaks before the answer',
} as const;
export type MagicTag = keyof typeof MAGIC_TAGS;

/** The magic tag of an address, e.g. `exists` of `ada+exists@example.com`; the first one where there are more. */
export function readMagicTag(email: string): MagicTag | null {
  const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@'))).toLowerCase();
  return localPart.split('+').slice(1).find(isMagicTag) ?? null;
}

function isMagicTag(tag: string): tag is MagicTag {
  return Object.hasOwn(MAGIC_TAGS, tag);
}
