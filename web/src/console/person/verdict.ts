import { londonDate } from '@site/schema/calendar';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { FreeAccess, LeadSubscription } from '@site/schema/calls/subscriptions';
import { formatMoney, NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from '@site/schema/money';
import { isSameAddress } from '@site/schema/email';
import {
  describeProgress,
  describeStatus,
  nameNotReceiving,
  needsCorrection,
  shownStatus,
  STAGE_NAMES,
  STAGE_TONES,
  STATE_NAMES,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import type { Tone } from '../shared/console-icons.tsx';
import { formatDate, formatDay, formatMoment } from '../shared/format.ts';
import { describeDunning, describeEvidence, describeRate, describeRecovery } from './labels.ts';

export type Verdict = {
  tone: Tone;
  name: string;
  sentence: string;
  /** The one action that puts it right. */
  action?:
    | 'remedy'
    | 'resume'
    | 'invoice'
    | 'dispute'
    | 'correct'
    | 'retry'
    | 'send'
    | 'cancel'
    | 'recover';
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

/** How long free access lasts: `until 31 Dec 2026`. */
export function describeEnd({ until, paidBy }: Omit<FreeAccess, 'isOver' | 'grantedBy'>): string {
  return until === null
    ? `as long as the subscription of ${paidBy ?? 'somebody who was erased'} runs`
    : `until ${formatDate(new Date(until))}`;
}

/** Returns the subscriptions that the person pays for, without those that they ordered and somebody else pays. */
export const paidBy = (email: string, subscriptions: readonly LeadSubscription[]) =>
  subscriptions.filter((of) => isSameAddress(of.email, email));

/** What a person is, and what became of the lead: at most two lines, the person first. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict[] {
  const money = judgeMoney(person, now);
  const lead = judgeLead(person, now, halt);
  // The payer's remedy puts the lead right, too.
  if (money?.action === 'remedy') delete lead.action;
  return money ? [money, lead] : [lead];
}

function judgeLead({ lead }: PersonAnswer, now: Date, halt: Halt): Verdict {
  const tone = shownStatus(lead);
  const verdict = { tone, name: describeStatus(lead), sentence: describeProgress(lead, now, halt) };
  if (tone === 'quarantined') return { ...verdict, action: 'send' };
  if (needsCorrection(lead))
    return {
      ...verdict,
      sentence: `${verdict.sentence}. Nothing is sent until it is corrected or retried`,
      action: 'correct',
    };
  return tone === 'failed' || tone === 'pending' ? { ...verdict, action: 'retry' } : verdict;
}

/** Says how a person pays, or receives without paying. Undefined of anybody else. */
function judgeMoney(person: PersonAnswer, now: Date): Verdict | undefined {
  const { lead, notReceiving, complimentary, checkouts } = person;
  const paid = paidBy(lead.email, person.subscriptions);
  const live = paid.filter(isLive);
  const main = mainOf(live);
  if (notReceiving)
    return {
      tone: 'failed',
      name: nameNotReceiving(paid.length > 0),
      sentence: NOT_RECEIVING_REASONS[notReceiving.reason].label,
      action: 'remedy',
    };
  if (main) {
    const verdict = judgeSubscription(main, now);
    const also = [
      main.readers.length > 0 && `Also read by ${main.readers.join(', ')}`,
      live.length > 1 && `One of ${live.length} subscriptions`,
    ].filter(Boolean);
    return { ...verdict, sentence: [verdict.sentence, ...also].join('. ') };
  }
  if (complimentary && !complimentary.isOver)
    return {
      tone: 'sent',
      name: STATE_NAMES.complimentary,
      sentence: `${describeEnd(complimentary)}, given by ${complimentary.grantedBy}`,
    };
  const [last] = paid;
  if (last?.endedAt) {
    const unpaid = last.firstPaidAt === null ? '; nothing was paid' : '';
    const sentence = `on ${formatDate(new Date(last.endedAt))}${unpaid}`;
    return { tone: 'corrected', name: STAGE_NAMES.ended, sentence };
  }
  const left = checkouts.find(({ isAbandoned }) => isAbandoned);
  if (!left) return undefined;
  const { url, validity } = describeRecovery(left, now);
  return {
    tone: url ? 'pending' : 'corrected',
    name: 'Checkout not finished',
    sentence: `opened ${formatDay(new Date(left.startedAt), now)}${url ? `; the link ${validity}` : ''}`,
    action: 'recover',
  };
}

function judgeSubscription(main: LeadSubscription, now: Date): Verdict {
  const stage = main.openDispute ? 'disputed' : main.unsettled ? 'unsettled' : main.stage;
  return {
    tone: STAGE_TONES[stage] ?? 'sent',
    name: STAGE_NAMES[stage],
    ...describeStage(main, now),
  };
}

function describeStage(main: LeadSubscription, now: Date): Pick<Verdict, 'sentence' | 'action'> {
  const { stage, cancelAt, openDispute, unsettled, currency, trialEndsAt, periodEndsAt } = main;
  const on = (at: string | null) =>
    at === null ? 'an unknown date' : formatMoment(new Date(at), now);
  const ends = cancelAt === null ? '' : ` Ends ${formatDate(new Date(cancelAt))}`;
  if (openDispute)
    return {
      sentence: `${formatMoney(openDispute.amountPence, currency)}, ${describeEvidence(openDispute, now)}`,
      action: 'dispute',
    };
  if (unsettled)
    return {
      sentence: `${UNSETTLED_REASONS[unsettled.reason]}, ${formatMoney(unsettled.amountPence, unsettled.currency)}`,
      action: 'cancel',
    };
  switch (stage) {
    case 'ending':
      return {
        sentence: `every issue until ${cancelAt === null ? 'it ends' : formatDate(new Date(cancelAt))}; nothing more is charged`,
        ...(canResume(main, now) && { action: 'resume' }),
      };
    case 'dunning':
      return {
        sentence: `${describeDunning(main, now)}.${ends}`,
        ...(main.nextPaymentAttemptAt === null && { action: 'invoice' }),
      };
    case 'suspended':
      return { sentence: `No access until they pay.${ends}`, action: 'invoice' };
    case 'trial':
      return { sentence: `until ${on(trialEndsAt)}, then ${describeRate(main)}` };
    default:
      return {
        sentence: `${describeRate(main)}, ${main.isCollectionPaused ? 'charging is paused' : `next charge ${on(periodEndsAt)}`}`,
      };
  }
}
