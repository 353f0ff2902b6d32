import type { FoundPerson, PeopleList } from '@site/schema/calls/people';
import { formatPence } from '@site/schema/offer';
import { FORM_TYPE_NAMES, shownStatus, STAGE_NAMES, STATUS_NAMES } from '../lead/lead-labels.ts';
import { formatDate, formatDay } from '../time/london-time.ts';

export const STATE_NAMES: Record<PeopleList, string> = {
  'not-receiving': 'Do not receive',
  trial: 'In trial',
  paying: 'Paying',
  complimentary: 'Free access',
  ended: 'Ended',
  listed: 'No subscription',
  'on-list': 'On the list',
};

/** Where a search found a person, before the words that it found: `company: `. */
export function describePlaceFound({ kind, text }: NonNullable<FoundPerson['foundIn']>): string {
  return `${kind === 'stripe' ? 'Stripe id' : kind}${text === null ? '' : ': '}`;
}

/** What a person is now in a word, and since or until when. */
export function describeNow(person: FoundPerson, now: Date): { name: string; more: string; isBad?: boolean } {
  const { state, subscription, lead, complimentaryUntil } = person;
  if (state === 'complimentary' && complimentaryUntil !== null) {
    return { name: STATE_NAMES.complimentary, more: `Until ${formatDate(new Date(complimentaryUntil))}` };
  }
  if (subscription && state !== 'listed') {
    const name = state === 'not-receiving' ? 'Pays, does not receive' : STAGE_NAMES[subscription.stage];
    return { name, more: describePlan(subscription, now), isBad: state === 'not-receiving' };
  }
  if (lead === null) return { name: 'Not on the list', more: '' };
  const status = shownStatus(lead);
  const name =
    status !== 'sent' ? STATUS_NAMES[status] : lead.subscriberStatus === 'inactive' ? 'Unsubscribed' : 'On the list';
  return { name, more: `${FORM_TYPE_NAMES[lead.formType]}, ${formatDate(new Date(lead.submittedAt))}` };
}

function describePlan(of: NonNullable<FoundPerson['subscription']>, now: Date): string {
  const price = `${formatPence(of.amountPence, true)} a ${of.plan === 'annual' ? 'year' : 'month'}`;
  const on = (at: string) => formatDay(new Date(at), now);
  if (of.endedAt !== null) return formatDate(new Date(of.endedAt));
  if (of.cancelAt !== null) return `Receives until ${on(of.cancelAt)}`;
  if (of.stage === 'trial' && of.trialEndsAt !== null) return `Ends ${on(of.trialEndsAt)}, then ${price}`;
  return of.firstPaidAt === null ? price : `${price} since ${formatDate(new Date(of.firstPaidAt))}`;
}

const LAST = { sent: 'Sent to Beehiiv', started: 'Trial began', ended: 'Access ended' };

/** What happened last: `Invoice LL-0228 paid`. */
export function describeLast({ kind, detail }: NonNullable<FoundPerson['last']>): string {
  if (kind === 'form') return `Filled in ${detail === 'pre_buy' ? 'the subscribe form' : 'the sample form'}`;
  if (kind === 'paid') return detail === null ? 'Paid' : `Invoice ${detail} paid`;
  return LAST[kind];
}
