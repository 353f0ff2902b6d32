import { MAX_SOURCES } from '@site/schema/calls/money-figures';
import type { MoneyFigure, MoneyFiguresAnswer, MoneySource } from '@site/schema/calls/money-figures';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { countOf, formatCount } from '../elements/format-count.ts';
import { NO_SOURCE, toPeople, toSource } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';
import styles from './RevenueTable.module.css';

type RevenueFigures = Omit<MoneyFiguresAnswer['revenue'][number], 'source' | 'campaign'>;

/**
 * What each source and campaign brought in within a period, how much was refunded, and what it is worth a month now. Each
 * number opens the subscriptions that make it.
 */
export function RevenueTable({ figures: { revenue, paid, mrr } }: { figures: MoneyFiguresAnswer }) {
  if (revenue.length === 0) {
    return <p>Nothing was paid in this period. Choose a longer one above, or wait for the first trial to end.</p>;
  }
  const sum = (name: keyof RevenueFigures) => revenue.reduce((total, row) => total + row[name], 0);
  const listed = {
    subscriptions: sum('subscriptions'),
    paidPence: sum('paidPence'),
    returnedPence: sum('returnedPence'),
    lostPence: sum('lostPence'),
    monthlyPence: sum('monthlyPence'),
  };
  // MRR as the figure above says it: the sum of rounded parts may differ by a penny.
  const isWhole = revenue.length < MAX_SOURCES;
  const all = { ...listed, subscriptions: paid.count, paidPence: paid.pence, monthlyPence: mrr.pence };
  return (
    <div className={styles.revenue}>
      <DataTable
        name="Revenue by source"
        heads={['Source', 'Payers', 'Paid', 'Refunded', 'MRR now']}
        widths={['auto', '12%', '17%', '17%', '17%']}
        numbersFrom={1}
        foot={
          <tr>
            <th scope="row">{isWhole ? 'Total' : `Total of the ${MAX_SOURCES} largest`}</th>
            {isWhole ? <Figures {...all} of={{}} name="all sources" /> : <Figures {...listed} name="these" />}
          </tr>
        }
      >
        {revenue.map(({ source, campaign, ...figures }) => {
          const name = source ?? NO_SOURCE;
          return (
            <tr key={JSON.stringify([source, campaign])}>
              <th scope="row">
                <bdi>{name}</bdi>
                {campaign !== null && <bdi className={styles.campaign}>{campaign}</bdi>}
              </th>
              <Figures
                {...figures}
                of={toSource({ source, campaign })}
                name={[name, campaign].filter(Boolean).join(', ')}
              />
            </tr>
          );
        })}
      </DataTable>
    </div>
  );
}

type FiguresProps = RevenueFigures & {
  /** Whose lists the numbers open. Without it they open none. */
  of?: MoneySource;
  /** What the links say it is from. */
  name: string;
};

function Figures({ subscriptions, paidPence, returnedPence, lostPence, monthlyPence, of, name }: FiguresProps) {
  const { period } = useMoneyPeriod();
  const link = (count: number, figure: MoneyFigure, shown: string, label: string): ReactNode =>
    count === 0 || of === undefined ? (
      shown
    ) : (
      <Link to={{ search: toPeople(figure, period, of) }} aria-label={`${label} from ${name}`}>
        {shown}
      </Link>
    );
  const paid = formatPence(paidPence, true);
  const returned = formatPence(returnedPence, true);
  const monthly = formatPence(monthlyPence, true);
  return (
    <>
      <td data-figure data-part="payers" data-unit={subscriptions === 1 ? 'payer' : 'payers'}>
        {link(subscriptions, 'paid', formatCount(subscriptions), countOf(subscriptions, 'payer'))}
      </td>
      <td data-figure data-part="paid">
        {link(paidPence, 'paid', paid, `${paid} paid`)}
      </td>
      <td data-figure data-part="refunded" data-none={returnedPence === 0 || undefined}>
        {/* The list of refunds has no disputes, so it would not add up to this. */}
        {link(lostPence > 0 ? 0 : returnedPence, 'refunded', returned, `${returned} refunded`)}
        {lostPence > 0 && <span className={styles.campaign}>{formatPence(lostPence, true)} lost in disputes</span>}
      </td>
      <td data-figure data-part="monthly">
        {link(monthlyPence, 'mrr', monthly, `${monthly} MRR now`)}
      </td>
    </>
  );
}
