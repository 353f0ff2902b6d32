import { londonDate } from '@site/schema/calendar';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { FreeAccess, LeadSubscription } from '@site/schema/calls/subscriptions';
import {
  CHECKOUT_HINDRANCES,
  formatMoney,
  NOT_RECEIVING_REASONS,
  UNSETTLED_REASONS,
} from '@site/schema/money';
import { isSameEmail } from '@site/schema/email';
import { toStatusText, needsCorrection, shownStatus, STATE_NAMES } from '@site/schema/labels';
import { toProgressText } from '../lead/progress.ts';
import type { Halt } from '../lead/progress.ts';
import type { Tone } from '../shared/console-icons.tsx';
import { formatDate, formatDay, formatMoment } from '../shared/format.ts';
import { toDunningText, toEvidenceText, toRateText, toRecoveryLink, toneOf } from './labels.ts';

export type Verdict = {
  tone: Tone;
  name: string;
  sentence: string;
  /** The one action that is the remedy. */
  action?:
    | 'remedy'
    | 'resume'
    | 'invoice'
    | 'dispute'
    | 'correct'
    | 'retry'
    | 'send'
    | 'cancel'
    | 'recover'
    | 'link';
};

const isLive = ({ stage }: LeadSubscription) => stage !== 'ended' && stage !== 'incomplete';

/** Finds the subscription that decides the person's state. */
export const mainOf = ({ subscriptions, mainSubscription }: PersonAnswer) =>
  subscriptions.find(({ stripeSubscriptionId: id }) => id === mainSubscription);

/**
 * Returns true for a cancelled subscription that has not ended. After a failed payment, the stage
 * does not show it.
 */
export const isCancelled = (of: LeadSubscription) =>
  isLive(of) && (of.stage === 'ending' || of.cancelAt !== null);

/**
 * Returns true if a cancellation can be undone. On its last day, Stripe may end the subscription
 * first.
 */
export const canResume = (of: LeadSubscription, now: Date) =>
  isCancelled(of) && (of.cancelAt === null || londonDate(now) < londonDate(new Date(of.cancelAt)));

/** Returns the end of free access: `until 31 Dec 2026`. */
export function toEndText({ until, paidBy }: Pick<FreeAccess, 'until' | 'paidBy'>): string {
  return until === null
    ? `as long as the subscription of ${paidBy ?? 'somebody who was erased'} runs`
    : `until ${formatDate(new Date(until))}`;
}

/**
 * Returns the subscriptions that the person pays for, without those they ordered and somebody else
 * pays.
 */
export const paidBy = (email: string, subscriptions: readonly LeadSubscription[]) =>
  subscriptions.filter((of) => isSameEmail(of.email, email));

/** Returns the state of the person and of the lead: at most two lines, the person first. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict[] {
  const money = judgeState(person, now);
  const lead = judgeLead(person, now, halt);
  // The payer's remedy also puts the lead right.
  if (money?.action === 'remedy') delete lead.action;
  return money ? [money, lead] : [lead];
}

function judgeLead({ lead }: PersonAnswer, now: Date, halt: Halt): Verdict {
  const tone = shownStatus(lead);
  const verdict = { tone, name: toStatusText(lead), sentence: toProgressText(lead, now, halt) };
  if (tone === 'quarantined') return { ...verdict, action: 'send' };
  if (needsCorrection(lead))
    return {
      ...verdict,
      sentence: `${verdict.sentence}. Nothing is sent until it is corrected or retried`,
      action: 'correct',
    };
  return tone === 'failed' || tone === 'pending' ? { ...verdict, action: 'retry' } : verdict;
}

/** Returns a person's state, or undefined for somebody without a subscription and a checkout. */
function judgeState(person: PersonAnswer, now: Date): Verdict | undefined {
  const { state, notReceiving, freeAccess } = person;
  const name = STATE_NAMES[state];
  const main = mainOf(person);
  switch (state) {
    case 'not-receiving':
      if (notReceiving === null) return undefined;
      return {
        tone: 'failed',
        name,
        sentence: NOT_RECEIVING_REASONS[notReceiving.reason].label,
        action: 'remedy',
      };
    case 'free-access':
      if (freeAccess === null) return undefined;
      return {
        tone: 'sent',
        name,
        sentence: [`${toEndText(freeAccess)}, given by ${freeAccess.grantedBy}`, freeAccess.reason]
          .filter(Boolean)
          .join(': '),
      };
    case 'ended': {
      if (!main?.endedAt) return undefined;
      const unpaid = main.firstPaidAt === null ? '; nothing was paid' : '';
      const sentence = `on ${formatDate(new Date(main.endedAt))}${unpaid}`;
      return { tone: 'past', name, sentence };
    }
    case 'none':
      return judgeCheckout(person, now);
    default:
      return (
        main && { tone: toneOf(person) ?? 'sent', name, ...judgeSubscription(main, person, now) }
      );
  }
}

function judgeCheckout({ checkouts }: PersonAnswer, now: Date): Verdict | undefined {
  const left = checkouts.find(({ isAbandoned }) => isAbandoned);
  if (!left) return undefined;
  const { url, validity } = toRecoveryLink(left, now);
  if (left.hindrance)
    return {
      tone: 'failed',
      name: 'Could not pay',
      sentence:
        formatDay(new Date(left.startedAt), now) + ': ' + CHECKOUT_HINDRANCES[left.hindrance],
      action: 'link',
    };
  return {
    tone: url ? 'pending' : 'past',
    name: 'Checkout not finished',
    sentence:
      'opened ' +
      `${formatDay(new Date(left.startedAt), now)}${url ? `; the link ${validity}` : ''}`,
    action: url ? 'recover' : 'link',
  };
}

function judgeSubscription(
  main: LeadSubscription,
  { lead, subscriptions }: PersonAnswer,
  now: Date,
): Pick<Verdict, 'sentence' | 'action'> {
  const verdict = toStageVerdict(main, now);
  const live = paidBy(lead.email, subscriptions).filter(isLive);
  const also = [
    main.readers.length > 0 && `Also read by ${main.readers.join(', ')}`,
    live.length > 1 && `One of ${live.length} subscriptions`,
  ].filter(Boolean);
  return { ...verdict, sentence: [verdict.sentence, ...also].join('. ') };
}

function toStageVerdict(main: LeadSubscription, now: Date): Pick<Verdict, 'sentence' | 'action'> {
  const { stage, cancelAt, openDispute, unsettled, currency, trialEndsAt, periodEndsAt } = main;
  const on = (at: string | null) =>
    at === null ? 'an unknown date' : formatMoment(new Date(at), now);
  const charge =
    `${toRateText(main)}, ` +
    (main.isCollectionPaused ? 'charging is paused' : `next charge ${on(periodEndsAt)}`);
  const ends = cancelAt === null ? '' : `. Ends ${formatDate(new Date(cancelAt))}`;
  if (openDispute)
    return {
      sentence:
        `${formatMoney(openDispute.amountPence, currency)} disputed, ` +
        toEvidenceText(openDispute, now),
      action: 'dispute',
    };
  if (unsettled)
    return {
      sentence:
        `${UNSETTLED_REASONS[unsettled.reason]}, ` +
        formatMoney(unsettled.amountPence, unsettled.currency),
      action: 'cancel',
    };
  switch (stage) {
    case 'ending':
      return {
        sentence:
          'cancelled; every issue until ' +
          `${cancelAt === null ? 'it ends' : formatDate(new Date(cancelAt))}; nothing more is ` +
          'charged',
        ...(canResume(main, now) && { action: 'resume' }),
      };
    case 'dunning':
      return {
        sentence: `${toDunningText(main, now)}${ends}`,
        ...(main.nextPaymentAttemptAt === null && { action: 'invoice' }),
      };
    case 'suspended':
      return {
        sentence: `unpaid or paused; no access until they pay${ends}`,
        action: 'invoice',
      };
    case 'incomplete':
      return { sentence: 'the first payment was not completed' };
    case 'trial':
      // The trial may be over, or there was none, and nothing was paid yet.
      return {
        sentence:
          trialEndsAt !== null && new Date(trialEndsAt) > now
            ? `until ${on(trialEndsAt)}, then ${toRateText(main)}`
            : `nothing paid yet; ${charge}`,
      };
    default:
      return { sentence: charge };
  }
}
