import { BEEHIIV_ANSWERS, findReason } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';

const BEHAVIOURS = {
  invalid: 'Accepted, with the status "invalid"',
  pending: 'Accepted, and stays "pending" until confirmed below',
  inactive: 'Already unsubscribed; reactivated only with reactivate_existing',
  exists: 'Already subscribed; answered with 200 and left unchanged',
  '429': 'Rate limited once for 5 seconds, then accepted',
  hang: 'Never answered',
  reset: 'Stored, but the connection is cut before the answer',
} as const;

/** The statuses with which Beehiiv refuses for good, and a failure of its own. */
const REFUSALS = Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS)
  .flatMap(([reason, { class: kind, statuses = [] }]) =>
    kind === 'permanent' ? statuses.filter((status) => findReason(status) === reason) : [],
  )
  .concat(500);

/** Plus tags that trigger a particular answer from Beehiiv. The overview page lists them. */
export const MAGIC_TAGS: Record<string, string> = {
  ...Object.fromEntries(REFUSALS.map((status) => [status, `Always refused with ${status}`])),
  ...BEHAVIOURS,
};

type MagicTag = keyof typeof BEHAVIOURS;

/** Returns the first magic tag of an email, such as `pending` in `ada+pending@example.com`. */
export const readMagicTag = (email: string): MagicTag | null =>
  listTags(email).find((tag): tag is MagicTag => Object.hasOwn(BEHAVIOURS, tag)) ?? null;

/**
 * Returns the status with which an email is always refused, such as 422 for `ada+422@example.com`.
 */
export const readRefusal = (email: string): number | undefined =>
  REFUSALS.find((status) => listTags(email).includes(String(status)));

const listTags = (email: string) =>
  email
    .slice(0, Math.max(0, email.lastIndexOf('@')))
    .toLowerCase()
    .split('+')
    .slice(1);
