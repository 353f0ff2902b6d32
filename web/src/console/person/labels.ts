import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import type { FoundPerson } from '@site/schema/calls/people';
import type { LeadCheckout, LeadSubscription } from '@site/schema/calls/subscriptions';
import { toAnswerText } from '@site/schema/beehiiv-answers';
import { toDeclineText } from '@site/schema/declines';
import {
  shownStatus,
  STATE_NAMES,
  STATE_TONES,
  toFormName,
  toListStatus,
  toStateReasonName,
} from '@site/schema/labels';
import {
  formatPence,
  OFFER_PHASES,
  UPSELL_PLANS,
  upsellPricePence,
  UPSELLS,
} from '@site/schema/offer';
import type { BillingInterval } from '@site/schema/offer';
import { capitalize, countOf, formatDate, formatDay, formatMoment } from '../shared/format.ts';

/** Returns how much a person's state needs attention, or undefined. */
export function toneOf({ state, reason }: Pick<FoundPerson, 'state' | 'reason'>) {
  if (reason === 'suspended') return 'failed';
  return reason === 'cancelled' ? 'pending' : STATE_TONES[state];
}

/** Returns a person's state in a word, and its fact beside the columns for start and plan. */
export function toStateText(
  person: FoundPerson,
  now: Date,
): { name: string; more: string; tone?: 'failed' | 'pending' | undefined } {
  const { state, lead } = person;
  if (state !== 'none')
    return {
      name: STATE_NAMES[state],
      more: toStateDetail({ ...person, since: null, subscription: null }, now),
      tone: toneOf(person),
    };
  if (lead === null) return { name: 'Not on the list', more: '' };
  const isFailed = shownStatus(lead) === 'failed';
  const why = isFailed && lead.beehiivReason !== null && toAnswerText(lead.beehiivReason);
  return {
    name: toListStatus(lead),
    more: [why, `${toFormName(lead)}, ${formatDate(new Date(lead.submittedAt))}`]
      .filter(Boolean)
      .join('. '),
    tone: isFailed ? 'failed' : undefined,
  };
}

type State = Pick<FoundPerson, 'state' | 'reason' | 'since' | 'until'> &
  Pick<FoundPerson, 'subscription' | 'freeReason'>;

/** Returns the fact about a person's state: its reason, its price, and its start or end. */
export function toStateDetail(person: State, now: Date): string {
  const { state, reason, since, until, subscription, freeReason } = person;
  const price = subscription ? toRateText(subscription) : '';
  const began = since === null ? '' : formatDate(new Date(since));
  const end = until === null ? '' : formatDay(new Date(until), now);
  const why = reason && toStateReasonName(reason);
  const facts = () => {
    if (state === 'free-access')
      return [end ? `Until ${end}` : 'As long as a subscription runs', freeReason];
    if (state === 'ended') return [began];
    if (reason === 'cancelled') return [why, `Receives until ${end}`];
    if (state === 'paying') return [[began && `Since ${began}`, price].filter(Boolean).join(', ')];
    if (state === 'trial')
      return [[end && `Ends ${end}`, price && `then ${price}`].filter(Boolean).join(', ')];
    return [why, price];
  };
  return facts().filter(Boolean).join('. ');
}

/**
 * Returns false for a lead without a form: an operator gave the email free access, or a payer had
 * no lead.
 */
export const isFromForm = ({ lead, browser }: Pick<LeadDetailAnswer, 'lead' | 'browser'>) =>
  [lead.consentTimestamp, lead.consentTextVersion, lead.consentPage, lead.ipAddress, browser].some(
    Boolean,
  );

/** Returns `£239.00 a month`. */
export function toRateText({
  plan,
  amountPence,
  unreadParts = [],
}: Pick<LeadSubscription, 'plan' | 'amountPence'> & { unreadParts?: readonly string[] }): string {
  const each = plan === 'annual' ? 'year' : 'month';
  return unreadParts.includes('price')
    ? `a price not in pounds each ${each}`
    : `${formatPence(amountPence, true)} a ${each}`;
}

/** Returns `Monthly less 15%, £203.15` or `Annual, £2,868.00`. */
export function toPriceText(plan: BillingInterval, pence: number): string {
  const upsell = UPSELL_PLANS.find(
    (of) =>
      UPSELLS[of].interval === plan &&
      OFFER_PHASES.some((phase) => upsellPricePence(phase, of) === pence),
  );
  const less = upsell ? ` less ${UPSELLS[upsell].percentOff}%` : '';
  return `${plan === 'annual' ? 'Annual' : 'Monthly'}${less}, ${formatPence(pence, true)}`;
}

/** Returns the coupon of a price, unless it is one of ours. */
export const toCouponText = ({ coupon }: Pick<LeadSubscription, 'coupon'>) =>
  coupon === null || UPSELL_PLANS.some((plan) => plan === coupon) ? '' : `, coupon ${coupon}`;

/** Returns `Visa ending 0341: the card has expired. 1 attempt so far, next 1 Dec, 14:09`. */
export function toDunningText(
  {
    paymentAttempts,
    nextPaymentAttemptAt,
    decline,
  }: Pick<LeadSubscription, 'paymentAttempts' | 'nextPaymentAttemptAt' | 'decline'>,
  now: Date,
): string {
  const why = decline ? `${toDeclineText(decline)}. ` : '';
  const attempts = `${why}${countOf(paymentAttempts, 'attempt')} so far`;
  return nextPaymentAttemptAt === null
    ? `${attempts}, no further attempt planned`
    : `${attempts}, next ${formatMoment(new Date(nextPaymentAttemptAt), now)}`;
}

/** Returns Stripe's recovery link for a checkout: its URL while it works, and its end. */
export function toRecoveryLink(
  { recoveryUrl, recoveryEndsAt }: Pick<LeadCheckout, 'recoveryUrl' | 'recoveryEndsAt'>,
  now: Date,
): { url: string | undefined; validity: string } {
  if (recoveryUrl === null) return { url: undefined, validity: 'No recovery link' };
  if (recoveryEndsAt === null) return { url: recoveryUrl, validity: 'works while Stripe keeps it' };
  const until = new Date(recoveryEndsAt);
  return until > now
    ? { url: recoveryUrl, validity: `works until ${formatDay(until, now)}` }
    : { url: undefined, validity: `The recovery link expired on ${formatMoment(until, now)}` };
}

/**
 * Returns Stripe's reason for a dispute or a cancellation: `Product not received`, `Too expensive`.
 */
export const toReasonText = (reason: string) =>
  capitalize(reason.replaceAll('_', ' ').replaceAll('canceled', 'cancelled'));

/** Stripe's statuses of invoices, refunds and finished disputes, as the end of a sentence. */
export const INVOICE_STATES: Record<string, string> = {
  paid: 'paid',
  open: 'not paid yet',
  failed: 'payment failed',
  uncollectible: 'written off',
  void: 'cancelled',
  draft: 'being drawn up',
};
export const REFUND_STATES: Record<string, string> = {
  succeeded: 'refunded',
  pending: 'being refunded',
  failed: 'could not be refunded: the bank returned it',
  canceled: 'not refunded, the refund was cancelled',
};
export const DISPUTE_STATES: Record<string, string> = {
  won: ' and decided for us',
  lost: ' and lost',
  prevented: ', settled before it began',
  warning_closed: ', closed without a decision',
};

/** Returns the event that an open dispute awaits, and its deadline. */
export function toEvidenceText(
  { status, evidenceDueAt }: { status: string; evidenceDueAt: string | null },
  now: Date,
): string {
  if (status.endsWith('under_review')) return 'answered; the bank is reviewing it';
  if (evidenceDueAt === null) return 'Stripe gives no deadline';
  const due = new Date(evidenceDueAt);
  return due > now
    ? `evidence is due by ${formatMoment(due, now)}`
    : `evidence was due by ${formatMoment(due, now)}`;
}

/** The advice about a copied recovery link. */
export const NOT_TO_OPEN = 'Send it, and do not open it yourself: that uses it up.';
