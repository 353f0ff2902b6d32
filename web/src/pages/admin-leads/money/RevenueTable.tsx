import type { MoneyFiguresAnswer } from '@site/schema/money-figures';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { NO_SOURCE, toPeople, toSource } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';
import styles from './RevenueTable.module.css';

type Revenue = MoneyFiguresAnswer['revenue'];
type RevenueFigures = Omit<Revenue[number], 'source' | 'campaign'>;

/**
 * What each source and campaign brought in within a period, how much was refunded, and what it is worth a month now. A
 * source opens its payers, and its MRR the subscriptions that make it.
 */
export function RevenueTable({ revenue }: { revenue: Revenue }) {
  const { period } = useMoneyPeriod();
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
    <div className={styles.revenue}>
      <DataTable
        name="Revenue by source"
        heads={['Source', 'Payers', 'Paid', 'Refunded', 'MRR now']}
        widths={['auto', '12%', '17%', '17%', '17%']}
        numbersFrom={1}
        foot={foot}
      >
        {revenue.map(({ source, campaign, ...figures }) => {
          const of = toSource({ source, campaign });
          const name = source ?? NO_SOURCE;
          return (
            <tr key={JSON.stringify([source, campaign])}>
              <th scope="row">
                {figures.subscriptions === 0 ? (
                  <bdi>{name}</bdi>
                ) : (
                  <Link to={{ search: toPeople('paid', period, of) }}>
                    <bdi>{name}</bdi>
                  </Link>
                )}
                {campaign !== null && <bdi className={styles.campaign}>{campaign}</bdi>}
              </th>
              <Figures
                {...figures}
                toMonthly={figures.monthlyPence === 0 ? undefined : toPeople('mrr', period, of)}
                of={[name, campaign].filter(Boolean).join(', ')}
              />
            </tr>
          );
        })}
      </DataTable>
    </div>
  );
}

type FiguresProps = RevenueFigures & { toMonthly?: string | undefined; of?: string };

function Figures({ subscriptions, paidPence, returnedPence, monthlyPence, toMonthly, of }: FiguresProps) {
  const monthly = formatPence(monthlyPence, true);
  return (
    <>
      <td data-figure data-part="payers" data-unit={subscriptions === 1 ? 'payer' : 'payers'}>
        {formatCount(subscriptions)}
      </td>
      <td data-figure data-part="paid">
        {formatPence(paidPence, true)}
      </td>
      <td data-figure data-part="refunded" data-none={returnedPence === 0 || undefined}>
        {formatPence(returnedPence, true)}
      </td>
      <td data-figure data-part="monthly">
        {toMonthly === undefined ? (
          monthly
        ) : (
          <Link to={{ search: toMonthly }} aria-label={`${monthly} MRR now from ${of}`}>
            {monthly}
          </Link>
        )}
      </td>
    </>
  );
}
