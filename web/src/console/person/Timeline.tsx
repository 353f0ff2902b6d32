import type { HistoryEntry, LeadDetailAnswer, SyncAttempt } from '@site/schema/calls/leads';
import { formatMoney } from '@site/schema/currency';
import { isEndOfAccess } from '@site/schema/operator-actions';
import type { TimelineAction } from '@site/schema/operator-actions';
import {
  describeBegin,
  describeSubscriberStatus,
  FORM_TYPE_NAMES,
  HALTS,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import {
  formatClock,
  formatDate,
  formatDay,
  formatDuration,
  formatFully,
  isSameDay,
} from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { DISPUTE_STATES, INVOICE_STATES, REFUND_STATES } from './money-labels.ts';
import styles from './Person.module.css';

type TimelineProps = { detail: LeadDetailAnswer; now: Date; halt: Halt };
type Tone = keyof typeof STATUS_ICONS | 'plain';
type Step = {
  key: string;
  at: Date;
  /** Its place within a second, because Stripe's times have no milliseconds. */
  rank: number;
  tone: Tone;
  sentence: string;
};

/** What happened to the person in order: forms, attempts, checkouts, payments, and what operators did. */
export function Timeline({ detail, now, halt }: TimelineProps) {
  const steps = listSteps(detail, now, halt);
  return (
    <section aria-label="Timeline">
      <SectionHead title="Timeline" aside="UK time" />
      <ol className={styles.steps}>
        {steps.map(({ key, at, tone, sentence }, index) => {
          const Icon = tone === 'plain' ? undefined : STATUS_ICONS[tone];
          const before = steps[index - 1];
          return (
            <li key={key}>
              <time dateTime={at.toISOString()} title={formatFully(at)}>
                {!(before && isSameDay(before.at, at)) && `${formatDay(at, now)}, `}
                {formatClock(at)}
              </time>
              <span data-tone={tone}>{Icon && <Icon />}</span>
              <bdi>{sentence}.</bdi>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const RANKS: Partial<Record<HistoryEntry['kind'], number>> = {
  form: 0,
  checkout: 2,
  subscribed: 3,
  invoice: 4,
};
const LAST = 5;

const toSecond = ({ at }: Step) => Math.floor(at.getTime() / 1_000);

function listSteps(detail: LeadDetailAnswer, now: Date, halt: Halt): Step[] {
  const { lead, history } = detail;
  const saved = { at: new Date(lead.submittedAt), rank: 0 };
  const isHeld =
    lead.quarantineReason !== null || history.some(({ detail: did }) => did === 'send-quarantined');
  const steps: Step[] = [
    ...history.map((entry) => ({
      key: `${entry.at} ${entry.kind} ${entry.subject} ${entry.detail}`,
      at: new Date(entry.at),
      rank:
        entry.kind === 'checkout' && entry.detail === 'opened' ? 1 : (RANKS[entry.kind] ?? LAST),
      tone: toneOf(entry),
      sentence: describeEntry(entry),
    })),
    { ...saved, key: 'saved', tone: 'plain', sentence: describeBegin(detail).replace(/\.$/u, '') },
  ];
  if (isHeld)
    steps.push({
      ...saved,
      key: 'held',
      tone: 'quarantined',
      sentence: 'Looks automated, so not sent',
    });
  const attempts = detail.attempts.toReversed();
  attempts.forEach((attempt, index) =>
    steps.push({
      key: attempt.id,
      at: new Date(attempt.startedAt),
      rank: LAST,
      ...describeAttempt(attempt, { lead, following: attempts[index + 1], now, halt }),
    }),
  );
  return steps.toSorted(
    (a, b) => toSecond(a) - toSecond(b) || a.rank - b.rank || Number(a.at) - Number(b.at),
  );
}

const KINDS: Record<SyncAttempt['kind'], string> = {
  push: '',
  probe: 'Tried while the others waited: ',
  repair: 'Repair: ',
  tier: 'Change of list: ',
};

type Context = Pick<TimelineProps, 'now' | 'halt'> &
  Pick<LeadDetailAnswer, 'lead'> & { following: SyncAttempt | undefined };

/** Describes an attempt: what Beehiiv answered, and what follows. */
function describeAttempt(attempt: SyncAttempt, context: Context): { tone: Tone; sentence: string } {
  const message = (attempt.message ?? 'No answer was recorded').replace(/[.;\s]+$/u, '');
  const tell = (tone: Tone, rest = '') => ({
    tone,
    sentence: `${KINDS[attempt.kind]}${message}${rest}`,
  });
  const isLast = context.following?.round !== attempt.round;
  switch (attempt.class) {
    case null:
      return { tone: 'pending', sentence: 'Waiting for Beehiiv’s answer' };
    case 'accepted':
      return tell('sent');
    case 'permanent':
      return tell('failed', isLast ? '; will not retry' : `; ${describeNext(attempt, context)}`);
    case 'configuration':
      return tell('pending', '; all leads wait until the setting is corrected');
    case 'unknown':
      return tell('pending', '. The next attempt looks the address up, so nothing is sent twice');
    case 'rate-limited':
    case 'transient':
      return isLast && context.lead.beehiivStatus === 'failed' && !context.lead.isCorrected
        ? tell('failed', '; failed for a day while other leads were accepted')
        : tell('pending', `; ${describeNext(attempt, context)}`);
  }
}

function describeNext(attempt: SyncAttempt, { following, lead, now, halt }: Context): string {
  if (following)
    return `retried after ${formatDuration(Date.parse(following.startedAt) - Date.parse(attempt.startedAt))}`;
  if (lead.isCorrected) return 'the address was corrected';
  if (lead.beehiivStatus !== 'pending') return 'settled another way';
  if (halt || lead.nextAttemptAt === null) return `waits until ${HALTS[halt ?? 'outage'].end}`;
  const next = new Date(lead.nextAttemptAt);
  return next > now ? `retries at ${formatClock(next)}` : 'retrying now';
}

const SETTLED_DISPUTES = new Set(['won', 'prevented', 'warning_closed']);
const FAILED: Partial<Record<HistoryEntry['kind'], Record<string, Tone>>> = {
  invoice: { failed: 'pending', uncollectible: 'failed' },
  checkout: { 'payment-failed': 'failed' },
  refund: { failed: 'failed' },
  dispute: { lost: 'failed' },
};

/** What went wrong with money, and what Stripe still tries. */
function toneOf({ kind, detail }: HistoryEntry): Tone {
  const isOpen = kind === 'dispute' && !SETTLED_DISPUTES.has(detail);
  return FAILED[kind]?.[detail] ?? (isOpen ? 'pending' : 'plain');
}

const CHECKOUT_STATES: Record<string, string> = {
  opened: 'Opened the checkout',
  complete: 'Completed the checkout',
  abandoned: 'Opened the checkout, which expired',
  'payment-failed': 'Completed a checkout, but the payment failed later',
};
const UNSUBSCRIBE_STATES: Record<string, string> = {
  asked: 'will be unsubscribed at Beehiiv, if it is known there',
  done: 'is unsubscribed at Beehiiv',
  absent: 'is not known to Beehiiv',
  kept: 'stays subscribed at Beehiiv: somebody else uses it',
};
const OUTAGES: Record<string, string> = {
  'no-worker': 'no worker was running',
  paused: 'the sync was paused',
  outage: 'Beehiiv was failing',
  stalled: 'nothing moved',
};

/** What an operator did. Does not compile without words for an action that a timeline shows. */
const ACTIONS: Record<
  | TimelineAction
  | 'send-quarantined'
  | 'retry-run'
  | 'retry-run-stop'
  | 'correct-paid'
  | 'cancel-now'
  | 'read-person',
  string | ((entry: HistoryEntry) => string)
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
  refund: (entry) => `refunded ${amountOf(entry) || 'the subscription'}`,
  complimentary: ({ at, until }) => describeAccess(at, until),
  'cancel-subscription': 'cancelled the subscription, which runs until its trial or period ends',
  'cancel-now': 'cancelled the subscription at once',
  'resume-subscription': 'undid the cancellation',
  'open-invoice': 'fetched the link to an invoice',
  'review-not-receiving': 'accepted that the payer does not receive',
  'correct-payer': 'corrected the payer’s address',
  'review-subscription': 'let the subscription continue without payment',
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

/** An entry of the timeline as a sentence. */
function describeEntry(entry: HistoryEntry): string {
  const { kind, subject, detail, operator } = entry;
  const amount = amountOf(entry);
  switch (kind) {
    case 'form':
      return `Filled in another form: ${FORM_TYPE_NAMES[detail as keyof typeof FORM_TYPE_NAMES]}`;
    case 'checkout':
      return CHECKOUT_STATES[detail] ?? detail;
    case 'subscribed':
      return `Subscribed at ${amount} a ${detail === 'annual' ? 'year' : 'month'}`;
    case 'invoice':
      return `Invoice of ${amount}: ${entry.amountPence === 0 ? 'nothing to pay' : (INVOICE_STATES[detail] ?? detail)}`;
    case 'refund':
      return `${amount} ${REFUND_STATES[detail] ?? detail}`;
    case 'dispute':
      return `Payment of ${amount} disputed${DISPUTE_STATES[detail] ?? ', not decided yet'}`;
    case 'ended':
      return 'The subscription ended';
    case 'tier':
      return `Change of list: ${detail}`;
    case 'status':
      return detail === 'invalid'
        ? 'Rejected by Beehiiv'
        : `Beehiiv says: ${describeSubscriberStatus(detail)}`;
    case 'outage':
      return `Waited while ${OUTAGES[detail] ?? detail}`;
    case 'unsubscribe':
      return `${subject ?? 'The mistyped address'} ${UNSUBSCRIBE_STATES[detail] ?? detail}`;
    case 'action': {
      const did = Object.hasOwn(ACTIONS, detail) ? ACTIONS[detail as keyof typeof ACTIONS] : detail;
      return `${operator ?? 'Someone'} ${typeof did === 'function' ? did(entry) : did}`;
    }
  }
}

const amountOf = ({ amountPence, currency }: HistoryEntry) =>
  amountPence === null ? '' : formatMoney(amountPence, currency);
