import type { HistoryEntry } from '@site/schema/calls/leads';
import { formatMoney } from '@site/schema/currency';
import { isEndOfAccess } from '@site/schema/operator-actions';
import type { TimelineAction } from '@site/schema/operator-actions';
import { LinkButton } from '../shared/LinkButton.tsx';
import { describeSubscriberStatus, FORM_TYPE_NAMES } from '../lead/lead-labels.ts';
import { DISPUTE_STATES, INVOICE_STATES, REFUND_STATES } from './money-labels.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { formatDate } from '../shared/london-time.ts';
import type { AttemptTone } from './attempt-labels.ts';

const CHECKOUT_STATES: Record<string, string> = {
  opened: 'Opened the checkout.',
  complete: 'Completed the checkout.',
  abandoned: 'Opened the checkout, which expired.',
  'payment-failed': 'Completed a checkout, but the payment failed later.',
};
const SETTLED_DISPUTES = new Set(['won', 'prevented', 'warning_closed']);
const UNSUBSCRIBE_STATES: Record<string, string> = {
  asked: 'will be unsubscribed at Beehiiv, if it is known there.',
  done: 'is unsubscribed at Beehiiv.',
  absent: 'is not known to Beehiiv.',
  kept: 'stays subscribed at Beehiiv: somebody else uses it.',
};
const OUTAGES: Record<string, string> = {
  'no-worker': 'no worker was running',
  paused: 'the sync was paused',
  outage: 'Beehiiv was failing',
  stalled: 'nothing moved',
};
type Told = HistoryEntry & { amount: string };
/** What an operator did. Does not compile without words for an action that a timeline shows. */
const ACTIONS: Record<
  | TimelineAction
  | 'send-quarantined'
  | 'retry-run'
  | 'retry-run-stop'
  | 'correct-paid'
  | 'cancel-now'
  | 'read-person',
  string | ((told: Told) => string)
> = {
  retry: 'retried the lead',
  'send-quarantined': 'sent the lead to Beehiiv',
  'retry-run': 'started a bulk retry',
  'retry-run-stop': 'stopped the bulk retry before it had tried the lead',
  correct: ({ subject }) => ['corrected the address', subject].filter(Boolean).join(' '),
  'correct-paid': ({ subject }) =>
    `corrected the address ${subject ?? ''}, here and of the customer at Stripe`,
  'read-lead': 'opened the lead',
  'read-person': 'opened the page of this person',
  'contact-abandoned': 'contacted them about their abandoned checkout',
  'contact-undone': 'took back that they were contacted about their abandoned checkout',
  refund: ({ amount }) => `refunded ${amount || 'the subscription'}`,
  complimentary: ({ at, until }) => describeAccess(at, until),
  'cancel-subscription': 'cancelled the subscription, which runs until its trial or period ends',
  'cancel-now': 'cancelled the subscription at once',
  'resume-subscription': 'undid the cancellation',
  'open-invoice': 'fetched the link to an invoice',
  'review-not-receiving': 'accepted that the payer does not receive',
  'correct-payer': 'corrected the payer’s address',
  'review-subscription': 'let the subscription continue without payment',
  'restore-customer': 'gave Stripe the stored address of the payer',
  'review-second': 'reviewed the second subscription',
  remedy: 'resolved a mismatch',
  note: 'wrote a note',
  'delete-note': 'deleted a note',
  'export-person': 'exported the person’s data',
};

function describeAccess(at: string, until: string | null): string {
  if (until === null) return 'gave free access as long as a subscription runs';
  return isEndOfAccess(until, at)
    ? 'ended free access'
    : `gave free access until ${formatDate(new Date(until))}`;
}

/** What went wrong with money, and what Stripe still tries. */
export function toneOf({ kind, detail }: HistoryEntry): AttemptTone {
  switch (kind) {
    case 'dispute':
      return SETTLED_DISPUTES.has(detail) ? 'plain' : detail === 'lost' ? 'failed' : 'pending';
    case 'invoice':
      return detail === 'failed' ? 'pending' : detail === 'uncollectible' ? 'failed' : 'plain';
    case 'checkout':
      return detail === 'payment-failed' ? 'failed' : 'plain';
    case 'refund':
      return detail === 'failed' ? 'failed' : 'plain';
    default:
      return 'plain';
  }
}

/** An entry of the timeline as a sentence. */
export function HistorySentence({ entry }: { entry: HistoryEntry }) {
  const { kind, subject, detail, amountPence, currency, operator } = entry;
  const { openLead } = useOpenLead();
  const amount = amountPence === null ? '' : formatMoney(amountPence, currency);
  switch (kind) {
    case 'form': {
      const form = FORM_TYPE_NAMES[detail as keyof typeof FORM_TYPE_NAMES];
      return (
        <>
          Filled in another form:{' '}
          <LinkButton onClick={() => subject !== null && openLead(subject)}>{form}</LinkButton>.
        </>
      );
    }
    case 'checkout':
      return CHECKOUT_STATES[detail] ?? detail;
    case 'subscribed':
      return `Subscribed at ${amount} a ${detail === 'annual' ? 'year' : 'month'}.`;
    case 'invoice':
      return `Invoice of ${amount}: ${amountPence === 0 ? 'nothing to pay' : (INVOICE_STATES[detail] ?? detail)}.`;
    case 'refund':
      return `${amount} ${REFUND_STATES[detail] ?? detail}.`;
    case 'dispute':
      return `Payment of ${amount} disputed${DISPUTE_STATES[detail] ?? ', not decided yet'}.`;
    case 'ended':
      return 'The subscription ended.';
    case 'tier':
      return `Change of list: ${detail}.`;
    case 'status':
      return detail === 'invalid'
        ? 'Rejected by Beehiiv.'
        : `Beehiiv says: ${describeSubscriberStatus(detail)}.`;
    case 'outage':
      return `Waited while ${OUTAGES[detail] ?? detail}.`;
    case 'unsubscribe':
      return `${subject ?? 'The mistyped address'} ${UNSUBSCRIBE_STATES[detail] ?? detail}`;
    case 'action': {
      // A record of an earlier version may have an action that no longer exists.
      const did = Object.hasOwn(ACTIONS, detail) ? ACTIONS[detail as keyof typeof ACTIONS] : detail;
      return (
        <>
          <bdi>{operator ?? 'Someone'}</bdi>{' '}
          {typeof did === 'function' ? did({ ...entry, amount }) : did}.
        </>
      );
    }
  }
}
