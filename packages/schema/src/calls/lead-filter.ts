import { z } from 'zod';
import { BEEHIIV_STATUSES, FORM_TYPES } from '../lead.ts';
import { STAGE_FILTERS } from '../money.ts';
import { absentWhenEmpty, day } from './request-parts.ts';

/** The states the console shows, each with its status at Beehiiv. */
export const SUBSCRIBER_STATES = {
  confirmed: 'active',
  awaiting: 'pending',
  checking: 'validating',
  rejected: 'invalid',
  unsubscribed: 'inactive',
} as const;
export type SubscriberState = keyof typeof SUBSCRIBER_STATES;
const SUBSCRIBER_STATE_NAMES = Object.keys(SUBSCRIBER_STATES) as SubscriberState[];

/** Accepts one of these words, or nothing. */
const word = <const Word extends string>(...words: Word[]) =>
  absentWhenEmpty(z.enum(words, { error: `Must be one of ${words.join(', ')}` }));

/**
 * The list's status filters, which exclude each other. Quarantined leads are `failed` in the
 * database and in the counters. Corrected leads have any status there, and no counter.
 */
export const LEAD_STATUS_FILTERS = [...BEEHIIV_STATUSES, 'quarantined', 'corrected'] as const;
export type LeadStatusFilter = (typeof LEAD_STATUS_FILTERS)[number];

/** The steps from a visitor to a payer, and the two ways in which a trial ends without payment. */
export const FUNNEL_STEPS = ['people', 'checkout', 'trial', 'paying', 'in-trial', 'left'] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];
export const FUNNEL_PARTS = ['channel', 'button', 'campaign'] as const;
export type FunnelPart = (typeof FUNNEL_PARTS)[number];
const FUNNEL = new RegExp(
  `^(${FUNNEL_STEPS.join('|')})(?::(${FUNNEL_PARTS.join('|')})=(.*))?$`,
  'su',
);

/** Writes the filter for a number in the funnel: the whole, or a part of it. */
export const toFunnelFilter = (step: FunnelStep, part?: FunnelPart, name = '') =>
  part === undefined ? step : `${step}:${part}=${name}`;

export function readFunnelFilter(text: string): {
  step: FunnelStep;
  part: FunnelPart | undefined;
  name: string;
} {
  const [, step, part, name = ''] = FUNNEL.exec(text) ?? [];
  return { step: (step ?? 'people') as FunnelStep, part: part as FunnelPart | undefined, name };
}

/**
 * The filter shared by the list, counters, charts, CSV and bulk retries. Days are inclusive London
 * days. Corrected leads match a search and their own status alone.
 */
export const leadFilterQuery = z
  .object({
    formType: word(...FORM_TYPES),
    startDate: absentWhenEmpty(day),
    endDate: absentWhenEmpty(day),
    status: word(...LEAD_STATUS_FILTERS),
    subscriber: word(...SUBSCRIBER_STATE_NAMES),
    source: absentWhenEmpty(z.string().max(2_048, 'At most 2,048 characters')),
    without: word('source'),
    /** Leads with an abandoned checkout and no completed checkout. */
    checkout: word('abandoned'),
    /**
     * Leads with a subscription at this stage, with any subscription, or with a paid subscription.
     */
    stage: word(...STAGE_FILTERS),
    /**
     * The first lead of each person who reached a step of the overview's funnel: see
     * `toFunnelFilter`.
     */
    funnel: absentWhenEmpty(z.string().max(200).regex(FUNNEL, 'Must be a step of the funnel')),
    bulkRetry: absentWhenEmpty(z.uuid('Must be the id of a bulk retry')),
    search: absentWhenEmpty(z.string().trim().max(200, 'At most 200 characters')),
  })
  .superRefine(({ startDate, endDate }, ctx) => {
    if (startDate && endDate && startDate > endDate) {
      ctx.addIssue({
        code: 'custom',
        path: ['endDate'],
        message: 'The end date is before the start date',
      });
    }
  });
export type LeadFilter = z.output<typeof leadFilterQuery>;
