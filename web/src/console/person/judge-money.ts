import type { HistoryEntry, LeadDetailAnswer } from '@site/schema/calls/leads';
import type { FreeAccess, LeadSubscription } from '@site/schema/calls/subscriptions';
import { londonDate } from '@site/schema/calendar';
import { formatMoney } from '@site/schema/currency';
import { UNSETTLED_REASONS } from '@site/schema/money';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { formatDate, formatDay } from '../shared/london-time.ts';
import {
  describeDunning,
  describeEvidence,
  describeCancellation,
  describeSubscription,
} from './money-labels.ts';

export type Verdict = {
  tone: 'sent' | 'pending' | 'failed' | 'quarantined' | 'corrected';
  name: string;
  sentence: string;
  action?: 'remedy' | 'resume' | 'resend' | 'dispute' | 'correct' | 'retry' | 'cancel' | 'recover';
};

const isLive = ({ stage }: LeadSubscription) => stage !== 'ended' && stage !== 'incomplete';

/** The subscription that says most: it has not ended, continues, was paid for, and is the newest, as in the API's lists. */
export function mainOf(subscriptions: readonly LeadSubscription[]): LeadSubscription | undefined {
  const rank = (of: LeadSubscription) =>
    (isLive(of) ? 0 : 4) + (isCancelled(of) ? 2 : 0) + (of.firstPaidAt === null ? 1 : 0);
  return subscriptions.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** Tells whether a subscription is cancelled, and has not ended. The stage of one whose payment failed does not say so. */
export const isCancelled = (of: LeadSubscription) =>
  isLive(of) && (of.stage === 'ending' || of.cancelAt !== null);

/** Tells whether a cancellation can be undone. On its last day Stripe may end it before. */
export const canResume = (of: LeadSubscription, now: Date) =>
  isCancelled(of) && (of.cancelAt === null || londonDate(now) < londonDate(new Date(of.cancelAt)));

/** Says in a sentence how a person pays, or receives without paying. Undefined of anybody else. */
export function judgeMoney(
  {
    subscriptions,
    complimentary,
    history,
  }: Pick<LeadDetailAnswer, 'subscriptions' | 'complimentary' | 'history'>,
  now: Date,
): Verdict | undefined {
  const live = subscriptions.filter(isLive);
  const main = mainOf(live);
  if (main && live.length > 1) {
    const verdict = judgeMoney({ subscriptions: [main], complimentary, history }, now);
    return (
      verdict && {
        ...verdict,
        sentence: `${verdict.sentence} One of ${live.length} subscriptions.`,
      }
    );
  }
  if (main?.openDispute) {
    const amount = formatMoney(main.openDispute.amountPence, main.currency);
    const sentence = `${amount}, ${describeEvidence(main.openDispute, now)}.`;
    return { tone: 'pending', name: STAGE_NAMES.disputed, sentence, action: 'dispute' };
  }
  if (main?.unsettled) {
    const { reason, amountPence, currency } = main.unsettled;
    const { stage, periodEndsAt, isCollectionPaused } = main;
    const money = judgeSubscription(main, history, now);
    const next =
      stage === 'paying' && periodEndsAt !== null && !isCollectionPaused
        ? `The subscription continues: next charge ${formatMoney(main.amountPence, main.currency)} on ${formatDay(new Date(periodEndsAt), now)}.`
        : `${money.name} ${money.sentence}`;
    const sentence = `${UNSETTLED_REASONS[reason]}, ${formatMoney(amountPence, currency)}. ${next}`;
    return { tone: 'pending', name: STAGE_NAMES.unsettled, sentence, action: 'cancel' };
  }
  if (main) {
    const verdict = judgeSubscription(main, history, now);
    return main.readers.length > 0
      ? { ...verdict, sentence: `${verdict.sentence} Also read by ${main.readers.join(', ')}.` }
      : verdict;
  }
  if (!complimentary || complimentary.isOver) return undefined;
  const sentence = `${describeEnd(complimentary)}, given by ${complimentary.grantedBy}.`;
  return { tone: 'sent', name: 'Free access', sentence };
}

/** How long free access lasts: `until 31 Dec 2026`. */
export function describeEnd({ until, paidBy }: Omit<FreeAccess, 'isOver' | 'grantedBy'>): string {
  return until === null
    ? `as long as the subscription of ${paidBy ?? 'somebody who was erased'} runs`
    : `until ${formatDate(new Date(until))}`;
}

/** The clocks of Stripe and of the record may differ a little. */
const SAME_MOMENT_MS = 60_000;

/** ` by Mia`, ` by Stripe`: who cancelled. Empty for a payer, who is not told apart from somebody in Stripe's Dashboard. */
export function describeCanceller(
  { canceledAt, cancellationFeedback }: LeadSubscription,
  history: readonly HistoryEntry[],
): string {
  if (cancellationFeedback?.startsWith('payment_')) return ' by Stripe';
  const at = Date.parse(canceledAt ?? '');
  const action = history.find(
    (entry) =>
      entry.detail.startsWith('cancel-') && Math.abs(Date.parse(entry.at) - at) < SAME_MOMENT_MS,
  );
  return action?.operator ? ` by ${action.operator}` : '';
}

function judgeSubscription(
  main: LeadSubscription,
  history: readonly HistoryEntry[],
  now: Date,
): Verdict {
  const { stage, canceledAt, cancelAt, cancellationFeedback } = main;
  const ends =
    cancelAt === null
      ? ''
      : ` Cancelled${describeCanceller(main, history)}, ends ${formatDate(new Date(cancelAt))}.`;
  switch (stage) {
    case 'ending': {
      const on =
        canceledAt === null
          ? ''
          : `on ${formatDay(new Date(canceledAt), now)}${describeCanceller(main, history)}. `;
      const until =
        cancelAt === null ? '' : `Receives every issue until ${formatDate(new Date(cancelAt))}; `;
      const why =
        cancellationFeedback === null
          ? ''
          : ` Reason given: ${describeCancellation(cancellationFeedback)}.`;
      const sentence = `${on}${until}nothing more is charged.${why}`;
      return {
        tone: 'pending',
        name: 'Cancelled',
        sentence,
        ...(canResume(main, now) && { action: 'resume' }),
      };
    }
    case 'dunning':
      return {
        tone: 'pending',
        name: STAGE_NAMES.dunning,
        ...(main.nextPaymentAttemptAt === null
          ? { sentence: `${describeDunning(main, now)}.${ends}`, action: 'resend' }
          : { sentence: `${describeDunning(main, now)}.${ends || ' Nothing to do yet.'}` }),
      };
    case 'suspended':
      return {
        tone: 'failed',
        name: STAGE_NAMES.suspended,
        sentence: `No access until they pay.${ends}`,
        action: 'resend',
      };
    default: {
      const sentence = describeSubscription(main, now).replace(STAGE_NAMES[stage], '').trim();
      return { tone: 'sent', name: STAGE_NAMES[stage], sentence: `${sentence}.` };
    }
  }
}
