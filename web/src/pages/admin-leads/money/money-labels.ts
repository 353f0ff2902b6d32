import type { LeadCheckout, LeadSubscription, MoneyAnswer, SubscriptionStage } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import { formatMoment } from '../time/london-time.ts';

/** A stage as a heading, and what it comes to. */
export const STAGE_LABELS: Record<SubscriptionStage, { name: string; note: string }> = {
  trial: { name: 'In trial', note: 'nothing paid yet' },
  paying: { name: 'Paying', note: 'charged when due' },
  ending: { name: 'Ending', note: 'cancelled, reads until its last day' },
  dunning: { name: 'Card failed', note: 'Stripe tries again, still reads' },
  suspended: { name: 'Suspended', note: 'unpaid or paused, does not read' },
  ended: { name: 'Ended', note: 'reads no more' },
  incomplete: { name: 'Not started', note: 'first payment is missing' },
};

/** `in trial until 10 Dec, 09:31, then £239 a month`. */
export function describeSubscription(subscription: LeadSubscription, now: Date): string {
  const { stage, plan, coupon, amountPence, isCollectionPaused } = subscription;
  const price = `${formatPence(amountPence)} a ${plan === 'annual' ? 'year' : 'month'}`;
  const discount = coupon === null ? '' : ` (discount ${coupon})`;
  const paused = isCollectionPaused ? '; charging is paused' : '';
  return `${describeStage(stage, subscription, price + discount, now)}${paused}`;
}

function describeStage(stage: SubscriptionStage, of: LeadSubscription, price: string, now: Date): string {
  const at = (instant: string | null) => (instant === null ? 'a day not known' : formatMoment(new Date(instant), now));
  switch (stage) {
    case 'trial':
      return `In trial until ${at(of.trialEndsAt)}, then ${price}`;
    case 'paying':
      return `Paying ${price}, next charge ${at(of.periodEndsAt)}`;
    case 'ending':
      return `Cancelled, runs until ${at(of.cancelAt)}; ${price}`;
    case 'dunning': {
      const tries = `${of.paymentAttempts} ${of.paymentAttempts === 1 ? 'try' : 'tries'}`;
      const next =
        of.nextPaymentAttemptAt === null ? 'no further one is planned' : `next ${at(of.nextPaymentAttemptAt)}`;
      return `The card failed at ${price}: ${tries} so far, ${next}`;
    }
    case 'suspended':
      return `Suspended, unpaid or paused; ${price}`;
    case 'ended':
      return `Ended${of.endedAt === null ? '' : ` ${at(of.endedAt)}`}; ${price}`;
    case 'incomplete':
      return `Never started: its first payment is missing; ${price}`;
  }
}

/** How a visit to Stripe's page ended. */
export function describeCheckout({ state, isAbandoned, startedAt }: LeadCheckout, now: Date): string {
  const opened = `Opened ${formatMoment(new Date(startedAt), now)}`;
  switch (state) {
    case 'complete':
      return `${opened}, completed`;
    case 'payment-failed':
      return `${opened}, completed, but the payment failed afterwards`;
    case 'abandoned':
      return isAbandoned ? `${opened}, given up` : `${opened}, left; another one was completed`;
  }
}

/** Stripe's way back to a checkout: its address while it works, and how long that is or was. */
export function describeRecovery(
  { recoveryUrl, recoveryEndsAt }: Pick<LeadCheckout, 'recoveryUrl' | 'recoveryEndsAt'>,
  now: Date,
): { url: string | undefined; words: string } {
  if (recoveryUrl === null) return { url: undefined, words: 'Stripe keeps no link to it' };
  if (recoveryEndsAt === null) return { url: recoveryUrl, words: 'opens as long as Stripe keeps it' };
  const until = new Date(recoveryEndsAt);
  return until > now
    ? { url: recoveryUrl, words: `opens until ${formatMoment(until, now)}` }
    : { url: undefined, words: `the link closed on ${formatMoment(until, now)}` };
}

type ParkedEvent = MoneyAnswer['parkedEvents'][number];

/** Why an event could not be applied. */
export function describeParked({ type, fault }: Pick<ParkedEvent, 'type' | 'fault'>): string {
  if (type === 'unreadable')
    return 'Stripe signed it, but it is no event that can be read here: to try it again changes nothing.';
  if (fault === null) return 'No reason was kept.';
  const shape = /^unexpected shape: (.+)$/su.exec(fault)?.[1];
  if (shape !== undefined) return `It is about something of another shape than was expected: ${shape}.`;
  const refused = /^Stripe refused to show it: (.+)$/su.exec(fault)?.[1];
  if (refused !== undefined) return `Stripe would not show what it is about (${refused.trim()}).`;
  return `Applying it failed: ${fault}.`;
}

/** `Fraudulent`, `Product not received`: Stripe's reason for a dispute. */
export function describeReason(reason: string): string {
  const words = reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is to be done about an open dispute, and by when. */
export function describeEvidence(
  { status, evidenceDueAt }: Pick<MoneyAnswer['openDisputes'][number], 'status' | 'evidenceDueAt'>,
  now: Date,
): string {
  if (status.endsWith('under_review')) return 'answered; the bank is looking at it';
  if (evidenceDueAt === null) return 'Stripe names no day to answer by';
  const due = new Date(evidenceDueAt);
  return due > now ? `evidence is due by ${formatMoment(due, now)}` : `evidence was due by ${formatMoment(due, now)}`;
}
