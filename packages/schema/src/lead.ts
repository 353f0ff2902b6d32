import type { LeadDeclaration } from './lead-declaration.ts';
import type { LEAD_FIELDS, LeadField } from './lead-fields.ts';

export const FORM_TYPES = ['pre_sample', 'pre_buy'] as const;
export type FormType = (typeof FORM_TYPES)[number];

export const BEEHIIV_STATUSES = ['pending', 'sent', 'failed'] as const;
export type BeehiivStatus = (typeof BEEHIIV_STATUSES)[number];

/**
 * The list's status filters, which exclude each other. Quarantined leads are `failed` in the
 * database and in the counters.
 */
export const LEAD_STATUS_FILTERS = [...BEEHIIV_STATUSES, 'quarantined'] as const;
export type LeadStatusFilter = (typeof LEAD_STATUS_FILTERS)[number];

/** The states the console shows, each with its status at Beehiiv. */
export const SUBSCRIBER_STATES = {
  confirmed: 'active',
  awaiting: 'pending',
  checking: 'validating',
  rejected: 'invalid',
  unsubscribed: 'inactive',
} as const;
export type SubscriberState = keyof typeof SUBSCRIBER_STATES;
export const SUBSCRIBER_STATE_NAMES = Object.keys(SUBSCRIBER_STATES) as SubscriberState[];

/** The three Subscribe buttons. A lead's source is the button that opened the form. */
export const SUBSCRIBE_BUTTONS = {
  nav_sub: 'navigation_subscription',
  top_sub: 'hero_subscription',
  bottom_sub: 'urgency_subscription',
} as const;
export type SubscribeButton = keyof typeof SUBSCRIBE_BUTTONS;

/** The source of a lead that an operator created by giving free access. */
export const OPERATOR_SOURCE = 'operator';

type Kinds = {
  text: string;
  flag: boolean;
  time: Date;
  id: string;
  formType: FormType;
  beehiivStatus: BeehiivStatus;
};

type Fields = typeof LEAD_FIELDS;

export type LeadValues = {
  [F in LeadField]:
    | Kinds[Fields[F]['kind']]
    | (Fields[F] extends { isRequired: true } ? never : null);
};

export type LeadValuesFrom<Source extends LeadDeclaration['from']> = {
  [F in LeadField as Fields[F]['from'] extends Source ? F : never]: LeadValues[F];
};

type ToJson<Value> = Value extends Date ? string : Value;
/** A lead in the answers of the operator's calls. Times are UTC, ISO 8601. */
export type Lead = { [F in LeadField]: ToJson<LeadValues[F]> } & {
  /** When the last attempt of a failed lead ended, while the attempt is stored. */
  failedAt: string | null;
};
