import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import { REMEDIES } from '@site/schema/differences';
import type { Remedy } from '@site/schema/differences';
import type { ActionName } from '@site/schema/operator-actions';
import { countOf, countRows } from '../shared/format-count.ts';
import { describeFilter } from '../lead/filter-labels.ts';
import { formatTime } from '../shared/london-time.ts';

export const ACTION_LABELS: Record<ActionName, string> = {
  login: 'Logged in',
  'login-failed': 'Failed to log in',
  logout: 'Logged out',
  'sign-out-everywhere': 'Logged out everywhere',
  'sign-out-others': 'Logged out everywhere else',
  'end-session': 'Logged out one of their other browsers',
  'password-change': 'Changed their password',
  'second-factor-on': 'Turned two-step login on',
  'second-factor-off': 'Turned two-step login off',
  'recovery-codes': 'Replaced their recovery codes',
  'read-lead': 'Opened a lead or a person',
  'read-lists': 'Looked at lists',
  'export-leads': 'Exported leads',
  'delete-quarantined': 'Deleted quarantined leads',
  'export-payments': 'Exported payments',
  probe: 'Tried Beehiiv again at once',
  retry: 'Retried or sent',
  'retry-run': 'Started a bulk retry',
  'retry-run-stop': 'Stopped a bulk retry',
  correct: 'Corrected an address',
  'restore-customer': 'Gave Stripe the stored address',
  'correct-payer': 'Corrected a payer’s address',
  refund: 'Refunded',
  complimentary: 'Changed free access',
  'cancel-subscription': 'Cancelled a subscription',
  'resume-subscription': 'Undid a cancellation',
  'open-invoice': 'Fetched the link to an invoice',
  'test-mail': 'Sent a test email',
  note: 'Wrote a note',
  'delete-note': 'Deleted a note',
  'export-person': 'Exported a person’s data',
  'erase-person': 'Erased a person',
  'contact-abandoned': 'Contacted about an abandoned checkout',
  'contact-undone': 'Took back a contact about an abandoned checkout',
  'review-not-receiving': 'Accepted that a payer does not receive',
  'review-second': 'Reviewed a second subscription',
  'review-subscription': 'Reviewed an unpaid subscription',
  'review-refund': 'Reviewed a failed refund',
  'review-stripe-event': 'Reviewed an unreadable Stripe event',
  remedy: 'Resolved a mismatch',
  'user-add': 'Added the operator',
  'user-reset': 'Reset the password of the operator',
  'user-remove': 'Removed the operator',
};

type Detail = Record<string, unknown>;

const REMEDY_WORDS: Record<Remedy, string> = {
  'add-again': 'Added again at Beehiiv',
  'set-premium': 'Moved to the paid list at Beehiiv',
  'set-free': 'Moved to the free list at Beehiiv',
};

/** `Added again at Beehiiv`. */
export function describeRemedy({ remedy }: Detail): string {
  const known = REMEDIES.find((each) => each === remedy);
  return known === undefined ? ACTION_LABELS.remedy : REMEDY_WORDS[known];
}

/** `3 leads`, `1 lead`. */
export const countLeads = (count: number) => countOf(count, 'lead');

/** `Exported leads: Pre-Buy, all dates, with a search`. What was searched for is not on record. */
export function describeExport({ isSearch, selected, ...filter }: Detail): string {
  if (typeof selected === 'number') return `Exported ${countOf(selected, 'selected lead')}`;
  const { data = {} } = leadFilterQuery.safeParse(filter);
  return `Exported leads: ${describeFilter(data)}${isSearch === true ? ', with a search' : ''}`;
}

const LIST_NAMES: Record<string, string> = { money: 'Money', comparison: 'the comparison' };

/** `Looked at leads, Money and people in the hour from 05:00`. Live changes are part of what was open. */
export function describeListed(at: string, detail: Detail): string {
  const lists = Object.keys(detail).flatMap((each) =>
    each === 'live changes' ? [] : [LIST_NAMES[each] ?? each],
  );
  return `Looked at ${new Intl.ListFormat('en-GB').format(lists) || 'live changes'} in the hour from ${formatTime(new Date(at))}`;
}

/** A receipt by the end of its id. */
export const nameReceipt = (id: string) => id.slice(-8);

/** `2 leads, 3 sync attempts`: what an erasure removed here, by table. */
export function describeErased({ erased, with: other }: Detail): string {
  if (typeof other === 'string') return 'the other address of the same person';
  if (typeof erased !== 'object' || erased === null) return 'nothing was stored';
  return countRows({ ...erased }) || 'nothing was stored';
}
