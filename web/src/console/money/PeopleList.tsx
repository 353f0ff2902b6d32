import { moneyPeopleQuery } from '@site/schema/calls/money';
import { MONEY_LISTS, PERIOD_LISTS } from '@site/schema/calls/money-figures';
import type { MoneyPeopleAnswer } from '@site/schema/calls/money';
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
  const [title, note, at, amount] = MONEY_LISTS[of];
  const rows = data?.flatMap(({ people }) => people) ?? [];
  const total = data?.[0]?.total;
  const aside = [
    total && countOf(total.count, 'row'),
    plan && price !== undefined && toPriceText(plan, price),
    of in PERIOD_LISTS ? name : 'today',
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
  { head: 'Plan', cell: (row) => (row.plan === 'annual' ? 'Annual' : 'Monthly') },
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
