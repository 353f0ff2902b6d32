import { STAGE_NAMES } from '../labels.ts';
import type { SUBSCRIPTION_STAGES } from '../money.ts';

/** A list's title, its content, and the heads of its dates and amounts. */
type ListWords = readonly [title: string, note: string, at: string, amount: string];

/** The lists of a period in `money_rows`. Cancelled trials are in no month's figure. */
export const PERIOD_LISTS = {
  paid: ['Paid', 'What was paid, before refunds and disputes.', 'Paid', 'Amount'],
  refunded: ['Refunded', 'Refunds, less those that failed.', 'Refunded', 'Amount'],
  lost: [
    'Held by banks',
    'Taken under disputes, open or lost, less what was won back.',
    'When',
    'Amount',
  ],
  'money-in': ['Money in', 'What was paid, less refunded, less held by banks.', 'When', 'Amount'],
  'new-payers': ['New payers', 'They paid for the first time.', 'First paid', 'A month'],
  'ended-payers': ['Payers who left', 'Payers whose last subscription ended.', 'Ended', 'MRR lost'],
  'cancelled-trials': [
    'Cancelled trials',
    'They cancelled before the trial ended. Their reason is on the person.',
    'Cancelled',
    'Price',
  ],
} as const satisfies Record<string, ListWords>;

/** The lists of money: a period's figures, the subscriptions in the MRR now, or a stage now. */
export const MONEY_LISTS = {
  ...PERIOD_LISTS,
  mrr: [
    'Monthly recurring revenue (MRR)',
    'What subscriptions bring in a month once paid for, even while Stripe retries a later ' +
      'payment. Trials are left out; an annual payment counts a twelfth. Only a discount that ' +
      'never ends is taken off.',
    'First paid',
    'A month',
  ],
  trial: [STAGE_NAMES.trial, 'Nothing paid yet.', 'Trial ends', 'Price'],
  paying: [STAGE_NAMES.paying, 'Charged when due.', 'Next charge', 'Price'],
  ending: [STAGE_NAMES.ending, 'Access until the last day.', 'Access until', 'Price'],
  dunning: [STAGE_NAMES.dunning, 'Stripe will retry; access continues.', 'Next attempt', 'Price'],
  suspended: [STAGE_NAMES.suspended, 'No access until they pay.', 'Began', 'Price'],
  ended: [STAGE_NAMES.ended, 'Access has ended.', 'Ended', 'Price'],
  incomplete: [STAGE_NAMES.incomplete, 'First payment not received.', 'Began', 'Price'],
} as const satisfies Record<(typeof SUBSCRIPTION_STAGES)[number], ListWords> &
  Record<string, ListWords>;
export type MoneyList = keyof typeof MONEY_LISTS;

/**
 * A figure with a list has the list's title, and adds up or counts its rows. A figure with `of` is
 * derived: the function gets the figures in `from`, in pence or as counts. The figure is null if
 * one of them is, or if the function returns null. Figures of the night have neither list nor `of`.
 */
type Figure = (
  | { list: keyof typeof PERIOD_LISTS; title?: never }
  | { list?: never; title: string }
) & {
  shows: 'pence' | 'count';
  from?: readonly string[];
  of?: (...figures: number[]) => number | null;
  /** Unknown in a month without a night, because earlier rows may be missing. */
  needsNight?: true;
  /** Hidden unless some month has any. */
  isRare?: true;
};
export const FIGURES = {
  paid: { shows: 'pence', list: 'paid' },
  refunded: { shows: 'pence', list: 'refunded' },
  /** What banks hold or took, from the day a dispute opened until it is won. */
  lost: { shows: 'pence', list: 'lost', isRare: true },
  moneyIn: {
    shows: 'pence',
    list: 'money-in',
    from: ['paid', 'refunded', 'lost'],
    of: (paid, refunded, lost) => paid - refunded - lost,
  },
  /** At the end of the month, or now, like `payers`. */
  mrr: { shows: 'pence', title: 'MRR' },
  newPayers: { shows: 'count', list: 'new-payers', needsNight: true },
  endedPayers: { shows: 'count', list: 'ended-payers', needsNight: true },
  payers: { shows: 'count', title: 'Payers with access' },
} as const satisfies Record<string, Figure>;
export type FigureName = keyof typeof FIGURES;

/** A month's figures, in the order of the table. Money is in pounds. */
export const MONTH_FIGURES = Object.entries<Figure>(FIGURES).map(([name, figure]) => ({
  ...figure,
  title: figure.title ?? PERIOD_LISTS[figure.list][0],
  name: name as FigureName,
}));
