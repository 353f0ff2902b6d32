import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from './money.ts';
import type { NotReceivingReason, UnsettledReason } from './money.ts';

/** The states of a person, in the order of the list. Everybody has exactly one. */
export const PERSON_STATES = [
  'not-receiving',
  'unsettled',
  'payment-failed',
  'trial',
  'paying',
  'free-access',
  'ended',
  'none',
] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/** The lists of people: a state, or everyone active at Beehiiv, payer or not. */
export const PEOPLE_LISTS = [...PERSON_STATES, 'on-list'] as const;
export type PeopleList = (typeof PEOPLE_LISTS)[number];

/** Reasons for a person's state, or for its coming end. */
export const STATE_REASONS = [
  ...(Object.keys(NOT_RECEIVING_REASONS) as NotReceivingReason[]),
  ...(Object.keys(UNSETTLED_REASONS) as UnsettledReason[]),
  'disputed',
  'cancelled',
  'suspended',
  'incomplete',
] as const;
export type StateReason = (typeof STATE_REASONS)[number];
