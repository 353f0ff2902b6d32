import type { BULK_REMEDIES, DifferenceKind, Remedy } from '@site/schema/differences';

/** The name of a kind of difference, and what to do about it. */
export const DIFFERENCE_LABELS: Record<DifferenceKind, { title: string; advice: string }> = {
  'pays-not-active': {
    title: 'Pay but do not receive',
    advice:
      'They pay, and are not active on the paid list at Beehiiv. If there is no button, only the subscriber can change it: contact or refund them.',
  },
  'pays-twice': {
    title: 'Pay twice',
    advice: 'Ask them which subscription to keep, and cancel the other.',
  },
  'premium-not-paying': {
    title: 'On the paid list without paying',
    advice: 'Nobody pays for them. Leave it if it is a gift.',
  },
  'missing-there': {
    title: 'Missing at Beehiiv',
    advice: 'Their lead was sent, but Beehiiv no longer has them.',
  },
  invalid: {
    title: 'Rejected by Beehiiv',
    advice: 'Open the lead to correct the address.',
  },
  unsubscribed: {
    title: 'Unsubscribed',
    advice: 'They left the list. Only they can subscribe again.',
  },
  'unknown-here': {
    title: 'At Beehiiv without a lead',
    advice: 'They subscribed elsewhere, or were imported. Nothing to do, unless you erased them.',
  },
};

export const REMEDY_LABELS: Record<Remedy, string> = {
  'add-again': 'Add again',
  'set-premium': 'Move to the paid list',
  'set-free': 'Move to the free list',
};

export type BulkRemedy = (typeof BULK_REMEDIES)[number];
type BulkWords = {
  /** The button that asks, and the one that confirms. */
  button: (count: string) => string;
  explain: string;
  underWay: string;
};

export const BULK_LABELS: Record<BulkRemedy, BulkWords> = {
  'add-again': {
    button: (count) => `Add ${count} again`,
    explain:
      'Each of them was sent, and Beehiiv no longer has them. A worker looks each one up first, so nobody is added twice, and those who have unsubscribed stay so. If you deleted any of them at Beehiiv on purpose, close this and add the others one by one.',
    underWay: 'being added again',
  },
  'set-premium': {
    button: (count) => `Move ${count} to the paid list`,
    explain: 'Each of them pays and is on the list. Beehiiv will move them to the paid list.',
    underWay: 'being moved to the paid list',
  },
};
