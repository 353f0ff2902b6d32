import { describeAnswer } from '@site/schema/beehiiv-answers';
import type { FoundPerson, PeopleList } from '@site/schema/calls/people';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import type { LeadStage } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import {
  describeButton,
  describeListed,
  FILLED_IN,
  FORM_TYPE_NAMES,
  shownStatus,
  STAGE_NAMES,
  STATUS_NAMES,
} from '../lead/lead-labels.ts';
import { describeReason } from '../person/money-labels.ts';
import { formatDate, formatDay } from '../shared/london-time.ts';

export const STATE_NAMES: Record<PeopleList, string> = {
  'not-receiving': 'Do not receive',
  trial: 'Not paid yet',
  paying: 'Paying',
  complimentary: 'Free access',
  ended: 'Ended',
  listed: 'No subscription',
  'on-list': 'On the list',
};

/** Where a search found a person, before the words that it found: `Company: `. */
export function describePlaceFound({ kind, text }: NonNullable<FoundPerson['foundIn']>): string {
  return `${kind === 'stripe' ? 'Stripe id' : describeReason(kind)}${text === null ? '' : ': '}`;
}

/** The stages that need attention. */
const STAGE_TONES: Partial<Record<LeadStage, 'failed' | 'pending'>> = {
  disputed: 'pending',
  unsettled: 'pending',
  suspended: 'failed',
  dunning: 'pending',
};

/** What a person is now in a word, and since or until when. */
export function describeNow(
  person: FoundPerson,
  now: Date,
): { name: string; more: string; tone?: 'failed' | 'pending' } {
  const { state, subscription, lead, complimentaryUntil } = person;
  if (state === 'complimentary') {
    const more =
      complimentaryUntil === null
        ? 'As long as a subscription runs'
        : `Until ${formatDate(new Date(complimentaryUntil))}`;
    return { name: STATE_NAMES.complimentary, more };
  }
  if (state === 'not-receiving' && !subscription)
    return { name: 'Does not receive', more: STATE_NAMES.complimentary, tone: 'failed' };
  if (state === 'not-receiving' && subscription)
    return {
      name: 'Pays, does not receive',
      more: describePlan(subscription, now),
      tone: 'failed',
    };
  if (subscription && state !== 'listed') {
    const { stage } = subscription;
    const tone = STAGE_TONES[stage];
    return {
      name: STAGE_NAMES[stage],
      more: describePlan(subscription, now),
      ...(tone && { tone }),
    };
  }
  if (lead === null) return { name: 'Not on the list', more: '' };
  const tone = shownStatus(lead);
  if (lead.correctedTo !== null)
    return { name: STATUS_NAMES.corrected, more: `to ${lead.correctedTo}` };
  const why =
    tone === 'failed' && lead.beehiivReason !== null
      ? `${describeAnswer(lead.beehiivReason)}. `
      : '';
  const from =
    person.last?.detail === OPERATOR_SOURCE
      ? describeLast(person.last)
      : FORM_TYPE_NAMES[lead.formType];
  const more = `${why}${from}, ${formatDate(new Date(lead.submittedAt))}`;
  return { name: describeListed(lead), more, ...(tone === 'failed' && { tone }) };
}

function describePlan(of: NonNullable<FoundPerson['subscription']>, now: Date): string {
  const price = `${formatPence(of.amountPence, true)} a ${of.plan === 'annual' ? 'year' : 'month'}`;
  const on = (at: string) => formatDay(new Date(at), now);
  if (of.endedAt !== null) return formatDate(new Date(of.endedAt));
  if (of.cancelAt !== null) return `Receives until ${on(of.cancelAt)}`;
  if (of.stage === 'trial' && of.trialEndsAt !== null)
    return `Ends ${on(of.trialEndsAt)}, then ${price}`;
  return of.firstPaidAt === null ? price : `${price} since ${formatDate(new Date(of.firstPaidAt))}`;
}

const LAST = {
  started: 'Trial began',
  refunded: 'Payment refunded',
  disputed: 'Payment disputed',
  cancelled: 'Cancelled',
  resumed: 'Cancellation undone',
  ended: 'Subscription ended',
};

/** What happened last: `Invoice LL-0228 paid`. */
export function describeLast({ kind, detail }: NonNullable<FoundPerson['last']>): string {
  if (kind === 'form' && detail === OPERATOR_SOURCE) return describeButton(detail);
  if (kind === 'form' && detail === 'corrected') return 'Address corrected';
  if (kind === 'form') return FILLED_IN[detail === 'pre_buy' ? 'pre_buy' : 'pre_sample'];
  if (kind === 'paid') return detail === null ? 'Paid' : `Invoice ${detail} paid`;
  const isOne = detail !== null && (kind === 'cancelled' || kind === 'ended');
  return isOne ? `One subscription ${kind}` : LAST[kind];
}
