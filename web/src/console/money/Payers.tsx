import type { MoneyAnswer } from '@site/schema/calls/money';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { STAGE_NAMES } from '@site/schema/labels';
import { toPeopleList } from '../navigation.ts';
import { toPriceText } from '../person/labels.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './Money.module.css';
import { toRows } from './period.ts';

/** Lists the MRR by plan and price, and the subscriptions by stage. Each number opens its rows. */
export function Payers({ money: { prices, mrr, stages } }: { money: MoneyAnswer }) {
  return (
    <div className={styles.halves}>
      <section aria-label="In MRR now">
        <SectionHead title="Counted in MRR" />
        <DataTable
          name="In MRR now"
          isStacking={false}
          rows={prices}
          keyOf={({ plan, price }) => `${plan} ${price}`}
          columns={PRICE_COLUMNS}
          foot={
            <tr>
              <th scope="row">Total</th>
              <td data-figure>
                <Link to={{ search: toRows('mrr') }}>{formatCount(mrr.count)}</Link>
              </td>
              <td data-figure>{formatPence(mrr.pence, true)}</td>
            </tr>
          }
        />
      </section>
      <section aria-label="Subscriptions">
        <SectionHead title="Subscriptions">
          <Link to={{ search: toPeopleList('free-access') }}>Free access</Link>
        </SectionHead>
        <DataTable
          name="Subscriptions"
          isStacking={false}
          rows={SUBSCRIPTION_STAGES.filter((stage) => stages[stage] > 0).map((stage) => ({
            stage,
            count: stages[stage],
          }))}
          keyOf={({ stage }) => stage}
          columns={STAGE_COLUMNS}
        />
      </section>
    </div>
  );
}

const PRICE_COLUMNS: Column<MoneyAnswer['prices'][number]>[] = [
  { head: 'Price', cell: ({ plan, price }) => toPriceText(plan, price) },
  {
    head: 'Number',
    isFigure: true,
    cell: ({ plan, price, count }) => (
      <Link to={{ search: toRows('mrr', {}, { plan, price }) }}>{formatCount(count)}</Link>
    ),
  },
  { head: 'MRR', isFigure: true, cell: ({ pence }) => formatPence(pence, true) },
];

const STAGE_COLUMNS: Column<{ stage: (typeof SUBSCRIPTION_STAGES)[number]; count: number }>[] = [
  { head: 'Stage', cell: ({ stage }) => STAGE_NAMES[stage] },
  {
    head: 'Number',
    isFigure: true,
    cell: ({ stage, count }) => <Link to={{ search: toRows(stage) }}>{formatCount(count)}</Link>,
  },
];
