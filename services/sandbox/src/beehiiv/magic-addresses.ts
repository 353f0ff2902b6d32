/** Plus tags that trigger a particular answer from Beehiiv. The overview page lists them. */
export const MAGIC_TAGS = {
  invalid: 'Accepted, with the status "invalid"',
  pending: 'Accepted, and stays "pending" until confirmed below',
  inactive: 'Already unsubscribed; reactivated only with reactivate_existing',
  exists: 'Already subscribed; answered with 200 and left unchanged',
  '422': 'Always refused with 422',
  '500': 'Always fails with 500',
  '429': 'Rate limited once for 5 seconds, then accepted',
  hang: 'Never answered',
  reset: 'Stored, but the connection is cut before the answer',
} as const;
export type MagicTag = keyof typeof MAGIC_TAGS;

/** Returns the first magic tag of an address, such as `exists` in `ada+exists@example.com`. */
export function readMagicTag(email: string): MagicTag | null {
  const localPart = email.slice(0, Math.max(0, email.lastIndexOf('@'))).toLowerCase();
  return localPart.split('+').slice(1).find(isMagicTag) ?? null;
}

function isMagicTag(tag: string): tag is MagicTag {
  return Object.hasOwn(MAGIC_TAGS, tag);
}
