import { EMAIL_REASONS, SUBSCRIBER_STATUSES } from './beehiiv-answers.ts';
import { OPERATOR_SOURCE } from './lead.ts';
import type { FormType, Lead, LeadStatusFilter, SubscriberState } from './lead.ts';
import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from './money.ts';
import type { NotReceivingReason, ShownStage, StageFilter } from './money.ts';
import type { PeopleList, StateReason } from './person-state.ts';

/*
 * The words for a person, a subscription and a lead, in lists, rows, panels and exports.
 */

export const STATE_NAMES: Record<PeopleList, string> = {
  'not-receiving': 'Not receiving',
  unsettled: 'Payment in doubt',
  'payment-failed': 'Payment failed',
  trial: 'In trial',
  paying: 'Paying',
  'free-access': 'Free access',
  ended: 'Ended',
  none: 'No subscription',
  'on-list': 'On the list',
};

/** The states that need attention, or soon will. */
export const STATE_TONES: Partial<Record<PeopleList, 'failed' | 'pending'>> = {
  'not-receiving': 'failed',
  unsettled: 'pending',
  'payment-failed': 'pending',
};

const isNotReceiving = (reason: string): reason is NotReceivingReason =>
  reason in NOT_RECEIVING_REASONS;

/**
 * Returns the words for a state's reason: `Unsubscribed at Beehiiv: only they can subscribe again`.
 */
export const toStateReasonName = (reason: StateReason) =>
  isNotReceiving(reason) ? NOT_RECEIVING_REASONS[reason].label : OTHER_REASONS[reason];

const OTHER_REASONS: Record<Exclude<StateReason, NotReceivingReason>, string> = {
  ...UNSETTLED_REASONS,
  disputed: 'Disputed',
  cancelled: 'Cancelled',
  suspended: 'Unpaid or paused',
  incomplete: 'Payment not completed',
};

export const STAGE_NAMES: Record<ShownStage, string> = {
  trial: 'In trial',
  paying: 'Renewing',
  ending: 'Cancelled, ends later',
  dunning: 'Payment failed',
  suspended: 'Unpaid or paused',
  ended: 'Ended',
  incomplete: 'Payment not completed',
  disputed: 'Disputed',
  unsettled: 'Payment in doubt',
};

/** The filters of the list of leads, worded to follow "subscription". */
export const STAGE_FILTER_LABELS: Record<StageFilter, string> = {
  ...STAGE_NAMES,
  any: 'at any stage',
  paid: 'ever paid for',
};

export const FORM_TYPE_NAMES: Record<FormType, string> = {
  pre_sample: 'Pre-Sample',
  pre_buy: 'Pre-Buy',
};

/** Names a lead's form. Somebody with free access filled in none. */
export const toFormName = ({ formType, utmSource }: Pick<Lead, 'formType' | 'utmSource'>) =>
  utmSource === OPERATOR_SOURCE ? 'Guest' : FORM_TYPE_NAMES[formType];

/** The words for a submitted form in a timeline. */
export const FILLED_IN: Record<FormType, string> = {
  pre_sample: 'Filled in the sample form',
  pre_buy: 'Filled in the subscribe form',
};

export const STATUS_NAMES: Record<LeadStatusFilter, string> = {
  pending: 'Pending',
  sent: 'Sent',
  failed: 'Failed',
  quarantined: 'Quarantined',
};

type Shown = Pick<Lead, 'beehiivStatus' | 'quarantineReason'>;

/** Returns the status that the console shows. A quarantined lead is failed in the database. */
export function shownStatus({ beehiivStatus, quarantineReason }: Shown): LeadStatusFilter {
  if (beehiivStatus !== 'failed') return beehiivStatus;
  return quarantineReason === null ? 'failed' : 'quarantined';
}

export function toStatusText(lead: Shown): string {
  const status = shownStatus(lead);
  return status === 'quarantined' ? 'Looks automated' : STATUS_NAMES[status];
}

/** Returns true if a retry would do anything. */
export const canRetry = ({ beehiivStatus }: Pick<Shown, 'beehiivStatus'>) =>
  beehiivStatus === 'failed';

/** Returns true for a failed lead whose email Beehiiv refused. A retry would fail again. */
export const needsCorrection = (lead: Shown & Pick<Lead, 'beehiivReason'>) =>
  canRetry(lead) &&
  lead.quarantineReason === null &&
  EMAIL_REASONS.includes(lead.beehiivReason ?? '');

/** The state of a sent lead's subscriber at Beehiiv. */
export const SUBSCRIBER_STATE_LABELS: Record<SubscriberState, string> = {
  confirmed: 'confirmed',
  awaiting: 'awaiting confirmation',
  checking: 'being checked',
  rejected: 'rejected by Beehiiv',
  unsubscribed: 'unsubscribed',
};

export const toSubscriberStatusName = (status: string) =>
  SUBSCRIBER_STATUSES[status]?.label ?? status;

/** Returns the Beehiiv status of somebody without a subscription: `Awaiting confirmation`. */
export function toListStatus(lead: Shown & Pick<Lead, 'subscriberStatus'>): string {
  const status = shownStatus(lead);
  if (status === 'failed') return 'Not on the list';
  if (status !== 'sent' || lead.subscriberStatus === null) return toStatusText(lead);
  return lead.subscriberStatus === 'active'
    ? STATE_NAMES['on-list']
    : toSubscriberStatusName(lead.subscriberStatus);
}

const BUTTONS: Record<string, string> = {
  '': 'Not known',
  top_sub: 'Top of the page',
  nav_sub: 'Menu bar',
  bottom_sub: 'Bottom of the page',
  sample_site: 'Free sample',
  // A payer by the offers after the free sample.
  sample: 'Free sample',
  [OPERATOR_SOURCE]: 'Added in the console',
};

/** Returns the name of a button, as Postgres's `button_of` returns it. */
export const toButtonName = (source: string) => BUTTONS[source] ?? source;

/** Returns the name of the button that brought a lead. A lead of the sample may name none. */
export const toSourceName = ({ formType, utmSource }: Pick<Lead, 'formType' | 'utmSource'>) =>
  toButtonName(utmSource || (formType === 'pre_sample' ? 'sample_site' : ''));

/**
 * Formats a place: `London, GB`, or the region if the city is unknown. Undefined if nothing is
 * known.
 */
export function toPlaceName({ city, region, country }: Pick<Lead, 'city' | 'region' | 'country'>) {
  const parts = [city ?? region, country].filter((part) => part);
  return parts.length === 0 ? undefined : parts.join(', ');
}
