import type { MoneyFiguresAnswer } from '@site/schema/money-figures';
import { formatPence } from '@site/schema/offer';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import styles from './Money.module.css';

/** Its words stay on one line. */
const NBSP = '\u00a0';

type Revenue = MoneyFiguresAnswer['revenue'];
type RevenueFigures = Omit<Revenue[number], 'source' | 'campaign'>;

/** What each source and campaign brought in within a period, how much was refunded, and what it is worth a month now. */
export function RevenueTable({ revenue }: { revenue: Revenue }) {
  if (revenue.length === 0) {
    return <p>Nothing was paid in this period. Choose a longer one above, or wait for the first trial to end.</p>;
  }
  const sum = (name: keyof RevenueFigures) => revenue.reduce((total, row) => total + row[name], 0);
  const foot = (
    <tr>
      <th scope="row">Total</th>
      <Figures
        subscriptions={sum('subscriptions')}
        paidPence={sum('paidPence')}
        returnedPence={sum('returnedPence')}
        monthlyPence={sum('monthlyPence')}
      />
    </tr>
  );
  return (
    <DataTable
      name="Revenue by source"
      heads={['Source', 'Payers', 'Paid', 'Refunded', 'MRR now']}
      widths={['auto', '12%', '17%', '17%', '17%']}
      numbersFrom={1}
      isStacking
      foot={foot}
    >
      {revenue.map(({ source, campaign, ...figures }) => (
        <tr key={JSON.stringify([source, campaign])}>
          <th scope="row">
            <bdi>{source ?? '(none)'}</bdi>
            {campaign !== null && <bdi className={styles.under}>{campaign}</bdi>}
          </th>
          <Figures {...figures} />
        </tr>
      ))}
    </DataTable>
  );
}

function Figures({ subscriptions, paidPence, returnedPence, monthlyPence }: RevenueFigures) {
  return (
    <>
      <td data-figure data-unit={subscriptions === 1 ? 'payer' : 'payers'}>
        {formatCount(subscriptions)}
      </td>
      <td data-figure data-label="paid">
        {formatPence(paidPence, true)}
      </td>
      <td data-figure data-label="refunded">
        {formatPence(returnedPence, true)}
      </td>
      <td data-figure data-label={`MRR${NBSP}now`}>
        {formatPence(monthlyPence, true)}
      </td>
    </>
  );
}
