import { ADDRESS_REASONS, describeAnswer, SUBSCRIBER_STATUSES } from '@site/schema/beehiiv-answers';
import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import type { LeadStatusFilter, SubscriberState } from '@site/schema/calls/lead-filter';
import type { FoundPerson, PeopleList } from '@site/schema/calls/people';
import type { ShownStage, StageFilter } from '@site/schema/money';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import type { FormType, Lead } from '@site/schema/lead';
import {
  capitalize,
  formatDuration,
  formatMoment,
  formatTime,
  isSameDay,
} from '../shared/format.ts';

export const FORM_TYPE_NAMES: Record<FormType, string> = {
  pre_sample: 'Pre-Sample',
  pre_buy: 'Pre-Buy',
};
export const STATUS_NAMES: Record<LeadStatusFilter, string> = {
  pending: 'Pending',
  sent: 'Sent',
  failed: 'Failed',
  quarantined: 'Quarantined',
  corrected: 'Corrected',
};

type Shown = Pick<Lead, 'beehiivStatus' | 'isCorrected' | 'quarantineReason'>;

/**
 * Returns the status that the console shows. A quarantined lead is failed in the database, and one
 * whose email was corrected has any status there.
 */
export function shownStatus({
  beehiivStatus,
  isCorrected,
  quarantineReason,
}: Shown): LeadStatusFilter {
  if (isCorrected) return 'corrected';
  if (beehiivStatus !== 'failed') return beehiivStatus;
  return quarantineReason === null ? 'failed' : 'quarantined';
}

export function describeStatus(lead: Shown): string {
  const status = shownStatus(lead);
  return status === 'quarantined' ? 'Looks automated' : STATUS_NAMES[status];
}

/** Tells whether a retry would do anything. A lead whose email was corrected is failed, and another was sent instead. */
export function canRetry({
  beehiivStatus,
  isCorrected,
}: Pick<Lead, 'beehiivStatus' | 'isCorrected'>): boolean {
  return beehiivStatus === 'failed' && !isCorrected;
}

/** True for a failed lead whose email Beehiiv refused: a retry would fail again. */
export const needsCorrection = (
  lead: Pick<Lead, 'beehiivStatus' | 'isCorrected' | 'quarantineReason' | 'beehiivReason'>,
) =>
  canRetry(lead) &&
  lead.quarantineReason === null &&
  ADDRESS_REASONS.includes(lead.beehiivReason ?? '');

/** What filling in a form left, as a timeline and a list of people say it. */
export const FILLED_IN: Record<FormType, string> = {
  pre_sample: 'Filled in the sample form',
  pre_buy: 'Filled in the subscribe form',
};

/** False for a lead without a form: an operator gave the email free access, or a payer had none. */
export const isFromForm = ({ lead, browser }: Pick<LeadDetailAnswer, 'lead' | 'browser'>) =>
  [lead.consentTimestamp, lead.consentTextVersion, lead.consentPage, lead.ipAddress, browser].some(
    Boolean,
  );

export const STAGE_NAMES: Record<ShownStage, string> = {
  trial: 'In trial',
  paying: 'Paying',
  ending: 'Cancelled, ends later',
  dunning: 'Payment failed',
  suspended: 'Unpaid or paused',
  ended: 'Ended',
  incomplete: 'Payment not completed',
  disputed: 'Disputed',
  unsettled: 'Running without payment',
};

/** The stages that need attention. */
export const STAGE_TONES: Partial<Record<ShownStage, 'pending' | 'failed'>> = {
  ending: 'pending',
  dunning: 'pending',
  suspended: 'failed',
  disputed: 'pending',
  unsettled: 'pending',
};

/** Of somebody who should be on the list. */
export const nameNotReceiving = (pays: boolean) =>
  pays ? 'Pays, does not receive' : 'Does not receive';

export const STATE_NAMES: Record<PeopleList, string> = {
  'not-receiving': 'Do not receive',
  trial: 'Not paid yet',
  paying: 'Paying',
  complimentary: 'Free access',
  ended: 'Ended',
  listed: 'No subscription',
  'on-list': 'On the list',
};

/** What the list can be narrowed to, as it follows "subscription". */
export const STAGE_FILTER_LABELS: Record<StageFilter, string> = {
  ...STAGE_NAMES,
  any: 'at any stage',
  paid: 'ever paid for',
};

/** The state of a sent lead's subscriber at Beehiiv. */
export const SUBSCRIBER_STATE_LABELS: Record<SubscriberState, string> = {
  confirmed: 'confirmed',
  awaiting: 'awaiting confirmation',
  checking: 'being checked',
  rejected: 'rejected by Beehiiv',
  unsubscribed: 'unsubscribed',
};

export const describeSubscriberStatus = (status: string) =>
  SUBSCRIBER_STATUSES[status]?.label ?? status;

/** Whether somebody without a subscription is on the list: `Awaiting confirmation`. */
export function describeListed(
  lead: Omit<NonNullable<FoundPerson['lead']>, 'correctedTo'>,
): string {
  const status = shownStatus(lead);
  if (status === 'failed') return 'Not on the list';
  if (status !== 'sent' || lead.subscriberStatus === null) return describeStatus(lead);
  return lead.subscriberStatus === 'active'
    ? 'On the list'
    : describeSubscriberStatus(lead.subscriberStatus);
}

const BUTTONS: Record<string, string> = {
  '': 'Not known',
  top_sub: 'Top of the page',
  nav_sub: 'Menu bar',
  bottom_sub: 'Bottom of the page',
  sample_site: 'Free sample',
  // A payer by the offers that follow it.
  sample: 'Free sample',
  [OPERATOR_SOURCE]: 'Added in the console',
};

export const describeButton = (source: string) => BUTTONS[source] ?? source;

/** Why leads waited, or nobody could subscribe. */
export const OUTAGE_NAMES: Record<string, string> = {
  'no-worker': 'No worker',
  paused: 'Sending paused',
  outage: 'Beehiiv failing',
  stalled: 'Nothing moved',
  'stripe-unavailable': 'Stripe failing',
};

/** `London, GB`, or the region if the city is unknown. Undefined if nothing is known. */
export function describePlace({
  city,
  region,
  country,
}: Pick<Lead, 'city' | 'region' | 'country'>) {
  const known = [city ?? region, country].filter((part) => part);
  return known.length === 0 ? undefined : known.join(', ');
}

/** Why all leads wait: what a row says, and what they wait for. */
export const HALTS = {
  pause: { waits: 'Waits, sync paused', end: 'the sync resumes' },
  outage: { waits: 'Waits for Beehiiv', end: 'Beehiiv works again' },
  worker: { waits: 'Waits for the worker', end: 'a worker runs again' },
};
export type Halt = keyof typeof HALTS | undefined;

type Progress = Pick<
  Lead,
  | 'beehiivStatus'
  | 'beehiivReason'
  | 'isCorrected'
  | 'beehiivSentAt'
  | 'subscriberStatus'
  | 'nextAttemptAt'
  | 'quarantineReason'
  | 'submittedAt'
  | 'updatedAt'
  | 'failedAt'
>;

/** What Beehiiv answered and when, or when the next attempt is due. The time alone on the day that the lead arrived. */
export function describeProgress(lead: Progress, now: Date, halt: Halt): string {
  const { subscriberStatus, isCorrected, submittedAt, updatedAt } = lead;
  const on = (at: string) =>
    isSameDay(new Date(at), new Date(submittedAt))
      ? formatTime(new Date(at))
      : formatMoment(new Date(at), now);
  switch (lead.beehiivStatus) {
    case 'pending':
      return describeNextAttempt(lead.nextAttemptAt, now, halt);
    case 'sent': {
      const status =
        subscriberStatus === null ? 'Accepted' : describeSubscriberStatus(subscriberStatus);
      return `${isCorrected ? 'Email corrected' : status} · ${on(lead.beehiivSentAt ?? updatedAt)}`;
    }
    case 'failed': {
      const what = describeFailure(lead);
      // What looks automated was held as it arrived.
      if (lead.quarantineReason !== null) return what;
      return `${what} · ${on((isCorrected ? null : lead.failedAt) ?? updatedAt)}`;
    }
  }
}

function describeNextAttempt(nextAttemptAt: string | null, now: Date, halt: Halt): string {
  if (halt || nextAttemptAt === null) return HALTS[halt ?? 'outage'].waits;
  const waitMs = Date.parse(nextAttemptAt) - now.getTime();
  return waitMs >= 1_000 ? `Next attempt in ${formatDuration(waitMs)}` : 'On its way';
}

function describeFailure({ isCorrected, quarantineReason, beehiivReason }: Progress): string {
  if (isCorrected) return 'Replaced by another lead';
  if (quarantineReason !== null) return capitalize(quarantineReason);
  return beehiivReason === null ? 'Permanent failure' : describeAnswer(beehiivReason);
}
