import { BEEHIIV_ANSWERS } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';

const BEHAVIOURS = {
  invalid: 'Accepted, with the status "invalid"',
  pending: 'Accepted, and stays "pending" until confirmed below',
  inactive: 'Already unsubscribed; reactivated only with reactivate_existing',
  exists: 'Already subscribed; answered with 200 and left unchanged',
  '500': 'Always fails with 500',
  '429': 'Rate limited once for 5 seconds, then accepted',
  hang: 'Never answered',
  reset: 'Stored, but the connection is cut before the answer',
} as const;

const REFUSALS = Object.values<BeehiivAnswer>(BEEHIIV_ANSWERS).flatMap((answer) =>
  answer.class === 'permanent' ? (answer.statuses ?? []) : [],
);

/** Plus tags that trigger a particular answer from Beehiiv. The overview page lists them. */
export const MAGIC_TAGS: Record<string, string> = {
  ...Object.fromEntries(REFUSALS.map((status) => [status, `Always refused with ${status}`])),
  ...BEHAVIOURS,
};

type MagicTag = keyof typeof BEHAVIOURS;

/** Returns the first magic tag of an address, such as `exists` in `ada+exists@example.com`. */
export const readMagicTag = (email: string): MagicTag | null =>
  listTags(email).find(isMagicTag) ?? null;

/** Returns the status with which an address is always refused, such as 422 for `ada+422@example.com`. */
export const readRefusal = (email: string): number | undefined =>
  REFUSALS.find((status) => listTags(email).includes(String(status)));

const listTags = (email: string) =>
  email
    .slice(0, Math.max(0, email.lastIndexOf('@')))
    .toLowerCase()
    .split('+')
    .slice(1);

const isMagicTag = (tag: string): tag is MagicTag => Object.hasOwn(BEHAVIOURS, tag);
