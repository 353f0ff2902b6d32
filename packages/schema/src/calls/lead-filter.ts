import { z } from 'zod';
import { formatCalendarDate } from '../calendar.ts';
import { FUNNEL, toFunnelText } from '../funnel.ts';
import {
  FORM_TYPE_NAMES,
  STAGE_FILTER_LABELS,
  STATUS_NAMES,
  SUBSCRIBER_STATE_LABELS,
  toButtonName,
} from '../labels.ts';
import { FORM_TYPES, LEAD_STATUS_FILTERS, SUBSCRIBER_STATE_NAMES } from '../lead.ts';
import { STAGE_FILTERS } from '../money.ts';
import { absentWhenEmpty, day } from './request-parts.ts';

type Declaration<Value extends string> = {
  /** Words the value, to follow a comma: `from “Menu bar”`. */
  toWords(this: void, value: Value): string;
  /** Writes its part of the CSV's name. Otherwise the filter's name, without the value. */
  toFileName?(this: void, value: Value): string;
  /** The values of a fixed list. */
  values?: readonly Value[];
  /** Its control above the list: a choice of `values`, or a text field for an open set. */
  control?: { label: string; all: string };
  /**
   * Set if a value may name a person. Then the record of actions keeps only its presence, under
   * this name and in these words, and an erasure removes it from bulk retries.
   */
  personal?: { recordedAs: string; words: string };
};

const declare = <Schema extends z.ZodType<string>>(
  schema: Schema,
  declaration: Declaration<z.output<Schema>>,
) => ({ schema: absentWhenEmpty(schema), ...(declaration as Declaration<string>) });

/** Declares a filter with one of these words. */
const oneOf = <const Word extends string>(
  values: readonly Word[],
  declaration: Declaration<Word>,
) =>
  declare(z.enum(values, { error: `Must be one of ${values.join(', ')}` }), {
    values,
    toFileName: String,
    ...declaration,
  });

/**
 * The filters shared by the list, counters, charts, CSV and bulk retries. Days are inclusive London
 * days.
 */
export const LEAD_FILTERS = {
  formType: oneOf(FORM_TYPES, {
    toWords: (form) => FORM_TYPE_NAMES[form],
    control: { label: 'Form Type', all: 'All Forms' },
  }),
  startDate: declare(day, {
    toWords: (start) => `from ${formatCalendarDate(start)}`,
    toFileName: (start) => `from-${start}`,
  }),
  endDate: declare(day, {
    toWords: (end) => `up to ${formatCalendarDate(end)}`,
    toFileName: (end) => `to-${end}`,
  }),
  status: oneOf(LEAD_STATUS_FILTERS, { toWords: (status) => STATUS_NAMES[status].toLowerCase() }),
  subscriber: oneOf(SUBSCRIBER_STATE_NAMES, { toWords: (state) => SUBSCRIBER_STATE_LABELS[state] }),
  source: declare(z.string().max(2_048, 'At most 2,048 characters'), {
    toWords: (source) => `from “${toButtonName(source)}”`,
  }),
  without: oneOf(['source'], {
    toWords: () => 'without a source',
    toFileName: () => 'without-source',
  }),
  /** Leads with an abandoned checkout and no completed checkout. */
  checkout: oneOf(['abandoned'], {
    toWords: () => 'abandoned checkouts',
    toFileName: () => 'checkout-abandoned',
  }),
  /**
   * Leads with a subscription at this stage, with any subscription, or with a paid subscription.
   */
  stage: oneOf(STAGE_FILTERS, {
    toWords: (stage) => `subscription ${STAGE_FILTER_LABELS[stage].toLowerCase()}`,
  }),
  bulkRetry: declare(z.uuid('Must be the id of a bulk retry'), {
    toWords: () => 'of one bulk retry',
    toFileName: () => 'retry',
  }),
  /**
   * The first lead of each person who reached a step of the overview's funnel: see
   * `toFunnelFilter`.
   */
  funnel: declare(z.string().max(200).regex(FUNNEL, 'Must be a step of the funnel'), {
    toWords: toFunnelText,
  }),
  search: declare(z.string().trim().max(200, 'At most 200 characters'), {
    toWords: (words) => `matching “${words}”`,
    personal: { recordedAs: 'isSearch', words: 'with a search' },
  }),
};
type FilterName = keyof typeof LEAD_FILTERS;
export const FILTER_NAMES = Object.keys(LEAD_FILTERS) as FilterName[];

export const leadFilterQuery = z
  .object(
    Object.fromEntries(FILTER_NAMES.map((name) => [name, LEAD_FILTERS[name].schema])) as {
      [Name in FilterName]: (typeof LEAD_FILTERS)[Name]['schema'];
    },
  )
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

/** The filters whose value may name a person. */
export const PERSONAL_FILTERS = FILTER_NAMES.flatMap((name) => {
  const { personal } = LEAD_FILTERS[name];
  return personal ? [{ name, ...personal }] : [];
});

/** Words each part of a filter. */
export const toFilterWords = (filter: LeadFilter): string[] =>
  FILTER_NAMES.flatMap((name) => {
    const value = filter[name];
    return value ? LEAD_FILTERS[name].toWords(value) : [];
  });
