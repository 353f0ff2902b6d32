import { moneyPeopleQuery, PERIOD_LISTS } from '@site/schema/calls/money';
import type { MoneyList, MoneyPeopleAnswer } from '@site/schema/calls/money';
import { formatPence } from '@site/schema/offer';
import { useSearchParams } from 'react-router-dom';
import { useApiPages } from '../api/data.tsx';
import { STAGE_NAMES } from '@site/schema/labels';
import { toPriceText } from '../person/labels.ts';
import { PersonLink } from '../person/PersonLink.tsx';
import { StripeLink } from '../person/StripeLink.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { countOf } from '../shared/format.ts';
import { LinkButton, Moment } from '../shared/fields.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Money.module.css';
import { useMoneyPeriod } from './period.ts';

/** A list's title, its content, and the heads of its dates and amounts. */
type Words = readonly [title: string, note: string, at: string, amount: string];
const WORDS: Record<MoneyList, Words> = {
  'money-in': ['Money in', 'What was paid, less what was refunded and lost.', 'When', 'Amount'],
  disputed: ['Disputed', 'Payments in money in that a dispute may take back.', 'Paid', 'Amount'],
  refunded: ['Refunded', 'Refunds, less those that failed.', 'Refunded', 'Amount'],
  lost: ['Lost in disputes', 'Disputes lost, less those won after all.', 'Lost', 'Amount'],
  'new-payers': ['New payers', 'They paid for the first time.', 'First paid', 'A month'],
  'ended-payers': ['Payers who left', 'Payers whose last subscription ended.', 'Ended', 'MRR lost'],
  'cancelled-trials': [
    'Cancelled trials',
    'They cancelled before the trial ended. Their reason is on the person.',
    'Cancelled',
    'Price',
  ],
  mrr: [
    'Monthly recurring revenue (MRR)',
    'What subscriptions bring in a month, even while Stripe retries a payment. Trials are ' +
      'left out; a yearly payment counts a twelfth. Only a discount that never ends is taken ' +
      'off.',
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
};

/** Returns the list in the URL, and its price. */
export function useShownList() {
  const [params] = useSearchParams();
  const { people: of, plan = '', price = '' } = Object.fromEntries(params);
  return moneyPeopleQuery.safeParse({ of, plan, price }).data;
}

type Row = MoneyPeopleAnswer['people'][number];

/**
 * Lists the rows behind a number, each with its lead and its subscription at Stripe, and their sum.
 */
export function PeopleList({ of, plan, price }: NonNullable<ReturnType<typeof useShownList>>) {
  const { period, name } = useMoneyPeriod();
  const { data, failure, hasMore, loadMore, reload } = useApiPages(
    'GET /api/admin/money/people',
    (previous) =>
      previous?.nextCursor === null
        ? null
        : { query: { ...period, of, plan, price, cursor: previous?.nextCursor } },
  );
  const [title, note, at, amount] = WORDS[of];
  const rows = data?.flatMap(({ people }) => people) ?? [];
  const total = data?.[0]?.total;
  const aside = [
    total && countOf(total.count, 'row'),
    plan && price !== undefined && toPriceText(plan, price),
    PERIOD_LISTS.some((list) => list === of) && name,
  ];
  return (
    <div className={styles.money}>
      <section aria-label={title}>
        <SectionHead title={title} aside={aside.filter(Boolean).join(' · ')} />
        <p>{note}</p>
        <LoadState of="the rows" data={data} failure={failure} reload={reload} />
        {total?.count === 0 && <p>There are none.</p>}
        {rows.length > 0 && (
          <DataTable
            name={title}
            rows={rows}
            keyOf={(_, n) => String(n)}
            columns={toColumns(at, amount)}
            foot={
              total &&
              amount !== 'Price' && (
                <tr>
                  <th scope="row" colSpan={5}>
                    Total of {countOf(total.count, 'row')}
                  </th>
                  <td data-figure data-amount>
                    {format(total.pence)}
                  </td>
                </tr>
              )
            }
          />
        )}
      </section>
      {hasMore && <LinkButton onClick={() => void loadMore()}>Load more</LinkButton>}
    </div>
  );
}

const format = (pence: number) => formatPence(pence, true).replace('-', '−');

const toColumns = (at: string, amount: string): Column<Row>[] => [
  {
    head: 'Person',
    cell: ({ email, ...row }) =>
      email === null ? 'An erased person' : <PersonLink email={email} {...row} />,
  },
  { head: 'Stage', cell: ({ stage }) => STAGE_NAMES[stage] },
  { head: 'Plan', cell: (row) => (row.plan === 'annual' ? 'Yearly' : 'Monthly') },
  {
    head: 'Stripe',
    cell: (row) => (
      <StripeLink to={row.dashboardUrl} name={row.email ?? row.stripeSubscriptionId} />
    ),
  },
  {
    head: at,
    label: at,
    isFigure: true,
    isNone: (row) => row.at === null,
    cell: (row) => (row.at === null ? '–' : <Moment at={row.at} />),
  },
  {
    head: amount,
    isFigure: true,
    place: 'amount',
    cell: (row) =>
      format(row.amount.pence) +
      (amount === 'Price' ? `\u00a0a\u00a0${row.plan === 'annual' ? 'year' : 'month'}` : ''),
  },
];
