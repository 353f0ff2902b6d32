import type { DifferenceKind } from '@site/schema/differences';

/** The name of each kind of difference, and its remedy. */
export const DIFFERENCE_LABELS: Record<DifferenceKind, { title: string; advice: string }> = {
  'pays-not-active': {
    title: 'Pay but do not receive',
    advice: 'Open the person to see why, and what helps.',
  },
  'pays-twice': {
    title: 'Pay twice',
    advice: 'Ask them which subscription to keep, and cancel the other.',
  },
  'premium-not-paying': {
    title: 'On the paid list without paying',
    advice: 'Leave it if it is a gift. Otherwise open the person.',
  },
  'missing-there': {
    title: 'Missing at Beehiiv',
    advice: 'Their lead was sent, but Beehiiv no longer has them.',
  },
  invalid: {
    title: 'Rejected by Beehiiv',
    advice: 'Open the person to correct the email.',
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
