import { describeAnswer } from '@site/schema/beehiiv-answers';
import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import { wordingOf } from '@site/schema/consent';
import type { Lead } from '@site/schema/lead';
import { listLeadFields } from '@site/schema/lead-fields';
import { describeAttempt } from './attempt-labels.ts';
import {
  describeBegin,
  describeSubscriberStatus,
  describeStatus,
  FORM_TYPE_NAMES,
} from '../lead/lead-labels.ts';
import { formatDated } from '../shared/london-time.ts';
import { describeCheckout, describeSubscription } from './money-labels.ts';

/** The fields that have a value, with their labels. */
export function listFields(lead: Lead): { name: keyof Lead; label: string; value: string }[] {
  return listLeadFields().flatMap(({ name, label }) => {
    const value = lead[name];
    return value === null || value === '' ? [] : [{ name, label, value: String(value) }];
  });
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u;

/** The value of a field in our words, where it is a word of the database. */
export function describeField(lead: Lead, name: keyof Lead, value: string): string {
  switch (name) {
    case 'formType':
      return FORM_TYPE_NAMES[lead.formType];
    case 'beehiivStatus':
      return describeStatus(lead);
    case 'beehiivReason':
      return describeAnswer(value);
    case 'subscriberStatus':
      return describeSubscriberStatus(value);
    case 'consentMarketing':
      return lead.consentMarketing ? 'Yes' : 'No';
    default:
      return INSTANT.test(value) ? formatDated(new Date(value)) : value;
  }
}

/** Names the consent text, with what the person did: `Consent text 2025-12, shown`. */
export const nameConsentText = ({ consentMarketing, consentTextVersion }: Lead) =>
  `Consent text${consentTextVersion ? ` ${consentTextVersion}` : ''}, ${consentMarketing ? 'shown' : 'not agreed to'}`;

/** Writes a lead as plain text for a support email: its attempts, then every field. Times are in UTC. */
export function toReport(detail: LeadDetailAnswer, now: Date): string {
  const { lead, attempts, checkouts, subscriptions } = detail;
  const inOrder = attempts.toReversed();
  const told = inOrder.map((attempt, index) => {
    const following = inOrder[index + 1];
    const { sentence } = describeAttempt(attempt, { lead, following, now, halt: undefined });
    return `${attempt.startedAt} (round ${attempt.round}, attempt ${attempt.number}) ${sentence} [${attempt.id}]`;
  });
  const wording = wordingOf(lead.consentTextVersion);
  const paid = [
    ...subscriptions.map(
      (each) => `${each.stripeSubscriptionId} ${describeSubscription(each, now)}.`,
    ),
    ...checkouts.map((each) => `${each.id} ${describeCheckout(each, now)}.`),
  ];
  return [
    `Lead ${lead.id}, ${lead.beehiivStatus}, as of ${now.toISOString()}`,
    '',
    'Attempts',
    `${lead.submittedAt} ${describeBegin(detail)}`,
    ...told,
    ...(paid.length === 0 ? [] : ['', 'Checkout', ...paid]),
    '',
    'Fields',
    ...listFields(lead).map(({ label, value }) => `${label}: ${value}`),
    ...(wording === null ? [] : ['', `${nameConsentText(lead)}: ${wording}`]),
  ].join('\n');
}
