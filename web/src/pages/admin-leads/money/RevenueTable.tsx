import type { MoneyFiguresAnswer } from '@site/schema/money-figures';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { toQuery } from '../filters/filter-params.ts';
import styles from './Money.module.css';

type Revenue = MoneyFiguresAnswer['revenue'];

/** What each source and campaign brought in within a period, and how much was refunded. */
export function RevenueTable({ revenue }: { revenue: Revenue }) {
  if (revenue.length === 0) {
    return <p>Nothing was paid in this period. Choose a longer one above, or wait for the first trial to end.</p>;
  }
  const sum = (name: 'subscriptions' | 'live' | 'paidPence' | 'returnedPence') =>
    revenue.reduce((total, row) => total + row[name], 0);
  const foot = (
    <tr>
      <th scope="row">Total</th>
      <Figures
        subscriptions={sum('subscriptions')}
        live={sum('live')}
        paidPence={sum('paidPence')}
        returnedPence={sum('returnedPence')}
      />
    </tr>
  );
  return (
    <DataTable
      name="Revenue by source"
      heads={['Source', 'Payers', 'Live', 'Paid', 'Refunded']}
      numbersFrom={1}
      foot={foot}
    >
      {revenue.map(({ source, campaign, ...figures }) => (
        <tr key={JSON.stringify([source, campaign])}>
          <th scope="row">
            {source === null ? (
              '(none)'
            ) : (
              <Link to={{ search: toQuery({ source }) }} title={`Show the leads of ${source}`}>
                <bdi>{source}</bdi>
              </Link>
            )}
            {campaign !== null && <bdi className={styles.under}>{campaign}</bdi>}
          </th>
          <Figures {...figures} />
        </tr>
      ))}
    </DataTable>
  );
}

function Figures({
  subscriptions,
  live,
  paidPence,
  returnedPence,
}: Pick<Revenue[number], 'subscriptions' | 'live' | 'paidPence' | 'returnedPence'>) {
  return (
    <>
      <td data-figure>{formatCount(subscriptions)}</td>
      <td data-figure>{formatCount(live)}</td>
      <td data-figure>{formatPence(paidPence, true)}</td>
      <td data-figure>{formatPence(returnedPence, true)}</td>
    </>
  );
}
