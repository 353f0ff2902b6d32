import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { SubscriptionStage } from '@site/schema/money';
import type { MoneyFigure, MoneyPeople } from '@site/schema/calls/money-figures';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { STAGE_NOTES } from './money-labels.ts';

type PeopleLabels = {
  title: string;
  /** What belongs in the list. */
  note: string;
  /** The heads of the columns of times and amounts. */
  at: string;
  pence: string;
  /** What is listed, one of it. */
  unit: string;
  empty: string;
};

const FIGURES: Record<MoneyFigure, PeopleLabels> = {
  mrr: {
    title: 'Monthly recurring revenue',
    note: 'Active and past-due subscriptions, without trials or those whose charging is paused, an annual price as a twelfth. Discounts count if they never end.',
    at: 'First paid',
    pence: 'A month',
    unit: 'subscription',
    empty: 'Nobody pays yet. A trial counts once it is paid.',
  },
  paused: {
    title: 'Charging is paused',
    note: 'Subscriptions whose collection was paused in Stripe. They are not in MRR until it is resumed.',
    at: 'First paid',
    pence: 'A month',
    unit: 'subscription',
    empty: 'No subscription’s charging is paused.',
  },
  'trials-ending': {
    title: 'Trials ending in 7 days',
    note: 'A cancelled trial pays nothing.',
    at: 'Ends',
    pence: 'Pays then',
    unit: 'trial',
    empty: 'No trial ends in the next seven days.',
  },
  expected: {
    title: 'Charges expected in the next 30 days',
    note: 'Ends of trials, renewals, and Stripe’s next attempt where a payment failed. Cancelled subscriptions are left out.',
    at: 'Due',
    pence: 'Amount',
    unit: 'charge',
    empty: 'No charge is due in the next 30 days.',
  },
  paid: {
    title: 'Paid',
    note: 'What each payer paid in the period. Refunds are not taken off.',
    at: 'Last paid',
    pence: 'Paid',
    unit: 'payer',
    empty: 'Nobody paid in this period.',
  },
  churned: {
    title: 'Churn',
    note: 'Subscriptions that had paid and ended in the period. A trial that ends unpaid is not churn.',
    at: 'Ended',
    pence: 'MRR lost',
    unit: 'subscription',
    empty: 'No paid subscription ended in this period.',
  },
  refunded: {
    title: 'Refunds',
    note: 'Refunds made in the period, except failed ones.',
    at: 'Refunded',
    pence: 'Amount',
    unit: 'refund',
    empty: 'Nothing was refunded in this period.',
  },
  'new-payers': {
    title: 'New payers',
    note: 'Those who paid for the first time. A change of plan is not a new payer.',
    at: 'First paid',
    pence: 'A month',
    unit: 'payer',
    empty: 'Nobody paid for the first time in this period.',
  },
  cancelled: {
    title: 'Cancellations',
    note: 'Payers who left. A change of plan and a trial that ends unpaid are not cancellations.',
    at: 'Ended',
    pence: 'A month',
    unit: 'payer',
    empty: 'No payer left in this period.',
  },
  'trials-due': {
    title: 'Trials ending',
    note: 'Trials that will be charged, unless they are cancelled before.',
    at: 'Ends',
    pence: 'Pays then',
    unit: 'trial',
    empty: 'No trial ends on these days.',
  },
  'renewals-due': {
    title: 'Renewals',
    note: 'Subscriptions that will be charged again. Cancelled ones are left out.',
    at: 'Due',
    pence: 'Amount',
    unit: 'renewal',
    empty: 'Nothing renews on these days.',
  },
};

/** The date that matters at each stage. */
const STAGE_DATES: Record<SubscriptionStage, string> = {
  trial: 'Trial ends',
  paying: 'Next charge',
  ending: 'Access until',
  dunning: 'Next attempt',
  suspended: 'Began',
  ended: 'Ended',
  incomplete: 'Began',
};

const STAGES = Object.fromEntries(
  SUBSCRIPTION_STAGES.map((stage) => [
    stage,
    {
      title: STAGE_NAMES[stage],
      note: `${STAGE_NOTES[stage]}.`,
      at: STAGE_DATES[stage],
      pence: 'Price',
      unit: 'subscription',
      empty: 'No subscription is at this stage.',
    },
  ]),
);

export const PEOPLE_LABELS = { ...FIGURES, ...STAGES } as Record<MoneyPeople, PeopleLabels>;

/** Tells a figure from a stage. */
export const isFigure = (of: MoneyPeople): of is MoneyFigure => Object.hasOwn(FIGURES, of);

/** Figures that depend on the chosen period. */
export const hasPeriod = (of: MoneyPeople) =>
  of === 'paid' || of === 'churned' || of === 'refunded' || of === 'new-payers' || of === 'cancelled' || isDue(of);
/** Of days that lie ahead, which no preset names. */
export const isDue = (of: MoneyPeople) => of === 'trials-due' || of === 'renewals-due';
