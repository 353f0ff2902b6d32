import type { PersonAnswer } from '@site/schema/calls/people';
import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { londonDate } from '@site/schema/calendar';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import { describeProgress, needsCorrection, shownStatus, STAGE_NAMES, STATUS_NAMES } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { describeDunning, describeEvidence, describeReason, describeSubscription } from '../money/money-labels.ts';
import { formatDate, formatDay } from '../time/london-time.ts';

export type Verdict = {
  tone: 'sent' | 'pending' | 'failed' | 'quarantined' | 'corrected';
  name: string;
  sentence: string;
  /** The one action that puts it right, if there is one. */
  action?: 'remedy' | 'resume' | 'resend' | 'dispute' | 'correct' | 'retry';
};

/** The subscription that says most: one that has not ended before one that has, then the newest. */
export const mainOf = (subscriptions: readonly LeadSubscription[]) =>
  subscriptions.find(({ stage }) => stage !== 'ended' && stage !== 'incomplete') ?? subscriptions[0];

/** Tells whether a cancellation can be undone. On its last day Stripe may end it before. */
export const canResume = ({ stage, cancelAt }: LeadSubscription, now: Date) =>
  stage === 'ending' && (cancelAt === null || londonDate(now) < londonDate(new Date(cancelAt)));

/** Says in a sentence what a person is, the most urgent first, and what to do about it. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict {
  const { notReceiving, complimentary } = person;
  const main = mainOf(person.subscriptions);
  const isLive = main !== undefined && main.stage !== 'ended' && main.stage !== 'incomplete';
  if (notReceiving) {
    const sentence = `${NOT_RECEIVING_REASONS[notReceiving.reason].label}.`;
    return { tone: 'failed', name: 'Pays, does not receive', sentence, action: 'remedy' };
  }
  if (isLive && main.openDispute) {
    const sentence = `${formatPence(main.openDispute.amountPence, true)}, ${describeEvidence(main.openDispute, now)}.`;
    return { tone: 'failed', name: STAGE_NAMES.disputed, sentence, action: 'dispute' };
  }
  if (isLive) return judgeSubscription(main, now);
  if (complimentary && !complimentary.isOver) {
    const sentence = `until ${formatDate(new Date(complimentary.until))}, given by ${complimentary.grantedBy}.`;
    return { tone: 'sent', name: 'Free access', sentence };
  }
  return judgeLead(person, now, halt);
}

function judgeSubscription(main: LeadSubscription, now: Date): Verdict {
  const { stage, canceledAt, cancelAt, cancellationFeedback } = main;
  switch (stage) {
    case 'ending': {
      const on = canceledAt === null ? '' : `on ${formatDay(new Date(canceledAt), now)}. `;
      const until = cancelAt === null ? '' : `Receives every issue until ${formatDate(new Date(cancelAt))}; `;
      const why =
        cancellationFeedback === null ? '' : ` Reason given: ${describeReason(cancellationFeedback).toLowerCase()}.`;
      const sentence = `${on}${until}nothing more is charged.${why}`;
      return { tone: 'pending', name: 'Cancelled', sentence, ...(canResume(main, now) && { action: 'resume' }) };
    }
    case 'dunning':
      return {
        tone: 'pending',
        name: STAGE_NAMES.dunning,
        sentence: `${describeDunning(main, now)}.`,
        action: 'resend',
      };
    case 'suspended':
      return { tone: 'failed', name: STAGE_NAMES.suspended, sentence: 'No access until they pay.', action: 'resend' };
    default: {
      const sentence = describeSubscription(main, now).replace(STAGE_NAMES[stage], '').trim();
      return { tone: 'sent', name: STAGE_NAMES[stage], sentence: `${sentence}.` };
    }
  }
}

function judgeLead({ lead, subscriptions }: PersonAnswer, now: Date, halt: Halt): Verdict {
  const tone = shownStatus(lead);
  const progress = `${describeProgress(lead, now, halt)}.`;
  if (needsCorrection(lead)) return { tone, name: STATUS_NAMES.failed, sentence: progress, action: 'correct' };
  if (tone === 'failed') return { tone, name: STATUS_NAMES.failed, sentence: progress, action: 'retry' };
  const ended = subscriptions[0]?.endedAt;
  if (ended)
    return { tone: 'pending', name: STAGE_NAMES.ended, sentence: `on ${formatDate(new Date(ended))}. ${progress}` };
  return { tone, name: tone === 'sent' ? 'On the list' : STATUS_NAMES[tone], sentence: progress };
}
