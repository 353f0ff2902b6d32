import { londonDate } from '@site/schema/calendar';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { FreeAccess, LeadSubscription } from '@site/schema/calls/subscriptions';
import { CHECKOUT_HINDRANCES, formatMoney } from '@site/schema/money';
import { isSameEmail } from '@site/schema/email';
import { toStatusText, needsCorrection, shownStatus, STATE_NAMES } from '@site/schema/labels';
import { toProgressText } from '../lead/progress.ts';
import type { Halt } from '../lead/progress.ts';
import type { Tone } from '../shared/console-icons.tsx';
import { formatDate, formatDay } from '../shared/format.ts';
import { toDunningText, toEvidenceText, toneOf, toRecoveryLink, toStateDetail } from './labels.ts';

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
  const { state, freeAccess, notReceiving } = person;
  if (state === 'none') return judgeCheckout(person, now);
  const main = mainOf(person);
  const ofState = { ...person, subscription: main ?? null, freeReason: freeAccess?.reason ?? null };
  const remedy = state === 'not-receiving' ? notReceiving && ('remedy' as const) : null;
  const action = remedy ?? (main && findAction(main, now));
  return {
    tone: toneOf(person) ?? (state === 'ended' ? 'past' : 'sent'),
    name: STATE_NAMES[state],
    sentence: [toStateDetail(ofState, now), main && toDeadline(main, now)]
      .filter(Boolean)
      .join('. '),
    ...(action && { action }),
  };
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

/** Returns the deadline of a dispute or a failed payment. */
function toDeadline(main: LeadSubscription, now: Date): string | undefined {
  const { openDispute, currency } = main;
  if (openDispute)
    return (
      `${formatMoney(openDispute.amountPence, currency)} disputed, ` +
      toEvidenceText(openDispute, now)
    );
  return main.stage === 'dunning' ? toDunningText(main, now) : undefined;
}

function findAction(main: LeadSubscription, now: Date): Verdict['action'] {
  const { stage, openDispute, unsettled, nextPaymentAttemptAt } = main;
  if (openDispute) return 'dispute';
  if (unsettled) return 'cancel';
  if (stage === 'ending') return canResume(main, now) ? 'resume' : undefined;
  const isUnpaid = stage === 'suspended' || (stage === 'dunning' && nextPaymentAttemptAt === null);
  return isUnpaid ? 'invoice' : undefined;
}
