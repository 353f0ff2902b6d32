import type { HistoryEntry, LeadDetailAnswer } from '@site/schema/calls/leads';
import type { PersonAnswer } from '@site/schema/calls/people';
import { CHECKOUT_HINDRANCES, formatMoney } from '@site/schema/money';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import type { FormType } from '@site/schema/lead';
import { isActionName, isEndOfAccess } from '@site/schema/operator-actions';
import { ACTION_LABELS, ENDED_ACCESS } from '../activity/actions.tsx';
import { toSubscriberStatusName, FILLED_IN } from '@site/schema/labels';
import { isFromForm } from './labels.ts';
import { CONDITIONS } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import { TONE_ICONS } from '../shared/console-icons.tsx';
import type { Tone } from '../shared/console-icons.tsx';
import { formatDate, formatDay, formatFully, formatTime, isSameDay } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { DISPUTE_STATES, INVOICE_STATES, REFUND_STATES } from './labels.ts';
import styles from './Person.module.css';

type Step = { key: string; at: Date; tone: Tone | undefined; sentence: string };

/**
 * Lists the person's history, newest first: forms, attempts, checkouts, payments, and operators'
 * actions.
 */
export function Timeline({ person, now }: { person: PersonAnswer; now: Date }) {
  const steps = listSteps(person);
  return (
    <section aria-label="Timeline">
      <SectionHead title="Timeline" aside="UK time" />
      <ol className={styles.steps}>
        {steps.map(({ key, at, tone, sentence }, index) => {
          const Icon = tone && TONE_ICONS[tone];
          const before = steps[index - 1];
          return (
            <li key={key}>
              <time dateTime={at.toISOString()} title={formatFully(at)}>
                {!(before && isSameDay(before.at, at)) && `${formatDay(at, now)}, `}
                {formatTime(at)}
              </time>
              <span data-tone={tone ?? ''}>{Icon && <Icon />}</span>
              <bdi>{sentence}.</bdi>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function listSteps(person: PersonAnswer): Step[] {
  const { lead, history } = person;
  const isHeld =
    lead.quarantineReason !== null || history.some(({ detail: did }) => did === 'send-quarantined');
  const steps = history.flatMap((entry): Step[] => {
    const at = new Date(entry.at);
    const key = Object.values(entry).join(' ');
    const step = { key, at, tone: toTone(entry), sentence: toEntryText(entry, person) };
    const held = { key: 'held', at, tone: 'quarantined', sentence: HELD } as const;
    return isHeld && entry.subject === lead.id ? [step, held] : [step];
  });
  return steps.toReversed();
}

const HELD = 'Looks automated, so not sent';

function toBeginText({ lead, browser }: Pick<LeadDetailAnswer, 'lead' | 'browser'>): string {
  if (isFromForm({ lead, browser })) return FILLED_IN[lead.formType];
  return lead.utmSource === OPERATOR_SOURCE
    ? 'Added in the console, to receive the paid issue'
    : 'Added as a payer';
}

const ATTEMPTS: Partial<Record<string, string>> = {
  repair: 'Repair: ',
  tier: 'Moving lists: ',
};
const OUTCOME_TONES: Partial<Record<string, Tone>> = {
  accepted: 'sent',
  permanent: 'failed',
  final: 'failed',
};

const toTone = ({ outcome }: HistoryEntry) =>
  outcome === null ? undefined : (OUTCOME_TONES[outcome] ?? 'pending');

/** Returns Beehiiv's answer to an attempt. */
function toAttemptText({ subject, detail, outcome }: HistoryEntry): string {
  if (outcome === 'open') return 'Waiting for Beehiiv’s answer';
  const answer = (detail || 'No answer was recorded').replace(/[.;\s]+$/u, '');
  return (ATTEMPTS[subject ?? ''] ?? '') + answer + (outcome === 'final' ? '; will not retry' : '');
}

const CHECKOUT_STATES: Record<string, string> = {
  'stripe-away': `Could not pay: ${CHECKOUT_HINDRANCES['stripe-away']}`,
  'wrong-setting': `Could not pay: ${CHECKOUT_HINDRANCES['wrong-setting']}`,
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
/** Returns a sentence for an entry of the timeline. */
function toEntryText(entry: HistoryEntry, person: PersonAnswer): string {
  const { kind, subject, detail, amountPence, currency } = entry;
  const amount = amountPence === null ? '' : formatMoney(amountPence, currency);
  switch (kind) {
    case 'form': {
      const lead = person.leads.find(({ id }) => id === subject);
      if (!lead) return FILLED_IN[detail as FormType];
      return toBeginText({ lead, browser: subject === person.lead.id ? person.browser : null });
    }
    case 'attempt':
      return toAttemptText(entry);
    case 'checkout':
      return CHECKOUT_STATES[detail] ?? detail;
    case 'subscribed':
      return 'Subscribed';
    case 'invoice':
      return (
        `Invoice of ${amount}: ` +
        (amountPence === 0 ? 'nothing to pay' : (INVOICE_STATES[detail] ?? detail))
      );
    case 'refund':
      return `${amount} ${REFUND_STATES[detail] ?? detail}`;
    case 'dispute':
      return `Payment of ${amount} disputed${DISPUTE_STATES[detail] ?? ', not decided yet'}`;
    case 'ended':
      return 'The subscription ended';
    case 'tier':
      return `Moving lists: ${detail}`;
    case 'status':
      return detail === 'invalid'
        ? 'Rejected by Beehiiv'
        : `Beehiiv says: ${toSubscriberStatusName(detail)}`;
    case 'outage':
      return `Waited: ${CONDITIONS[detail as ConditionKind].outage ?? detail}`;
    case 'unsubscribe':
      return `${subject ?? 'The mistyped email'} ${UNSUBSCRIBE_STATES[detail] ?? detail}`;
    case 'action':
      return toActionText(entry, amount);
  }
}

const VARIANTS: Record<string, string> = {
  'send-quarantined': 'sent the lead to Beehiiv',
  correct: 'corrected the email',
  'correct-payer': 'corrected the email',
  'cancel-now': 'cancelled the subscription at once',
  'read-person': 'opened this page',
};

/** Returns a sentence for an operator's action: `j.holt refunded £80.00`. */
function toActionText(entry: HistoryEntry, amount: string): string {
  const { subject, detail, operator, at, until } = entry;
  const label = isActionName(detail) ? ACTION_LABELS[detail] : detail;
  const isEnded = until !== null && isEndOfAccess(until, at);
  const exact = isEnded ? ENDED_ACCESS : label;
  const did = VARIANTS[detail] ?? `${exact.charAt(0).toLowerCase()}${exact.slice(1)}`;
  const end = until && !isEnded && `until ${formatDate(new Date(until))}`;
  const former = detail.startsWith('correct') && subject && `from ${subject}`;
  const where = detail === 'correct-payer' && 'here and at Stripe';
  const words = [operator ?? 'Someone', did, former, where, amount].filter(Boolean).join(' ');
  return end ? `${words}: ${end}` : words;
}
