import type { MoneyAnswer } from '@site/schema/calls/money';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import { formatPence, OFFER_PHASES, UPSELLS, upsellPricePence } from '@site/schema/offer';
import type { BillingInterval } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import styles from './Money.module.css';
import { toRows } from './period.ts';

/** Who pays now, by plan and price, and who has a subscription, by stage. Each number opens its rows. */
export function Payers({ money: { prices, mrr, stages } }: { money: MoneyAnswer }) {
  const { data } = useApiData('GET /api/admin/people/complimentary');
  const free = data?.access.filter(({ isOver }) => !isOver).length;
  return (
    <div className={styles.halves}>
      <section aria-label="In MRR now">
        <SectionHead title="Who pays now" />
        <DataTable
          name="In MRR now"
          heads={['Price', 'Number', 'MRR']}
          numbersFrom={1}
          isStacking={false}
          foot={
            <tr>
              <th scope="row">Total</th>
              <td data-figure>
                <Link to={{ search: toRows('mrr') }}>{formatCount(mrr.count)}</Link>
              </td>
              <td data-figure>{formatPence(mrr.pence, true)}</td>
            </tr>
          }
        >
          {prices.map(({ plan, price, count, pence }) => (
            <tr key={`${plan} ${price}`}>
              <th scope="row">{describePrice(plan, price)}</th>
              <td data-figure>
                <Link to={{ search: toRows('mrr', {}, { plan, price }) }}>
                  {formatCount(count)}
                </Link>
              </td>
              <td data-figure>{formatPence(pence, true)}</td>
            </tr>
          ))}
        </DataTable>
      </section>
      <section aria-label="Subscriptions">
        <SectionHead title="Subscriptions" />
        <DataTable
          name="Subscriptions"
          heads={['Stage', 'Number']}
          numbersFrom={1}
          isStacking={false}
        >
          {SUBSCRIPTION_STAGES.filter((stage) => stages[stage] > 0).map((stage) => (
            <tr key={stage}>
              <th scope="row">{STAGE_NAMES[stage]}</th>
              <td data-figure>
                <Link to={{ search: toRows(stage) }}>{formatCount(stages[stage])}</Link>
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">Free access</th>
            <td data-figure>
              <Link to={{ search: 'view=money&people=free-access' }}>
                {free === undefined ? '?' : formatCount(free)}
              </Link>
            </td>
          </tr>
        </DataTable>
      </section>
    </div>
  );
}

/** `Monthly less 15%, £203.15`, `Yearly, £2,151.00`. */
export function describePrice(plan: BillingInterval, pence: number): string {
  const { interval, percentOff } = UPSELLS.monthly15;
  const isLess =
    plan === interval &&
    OFFER_PHASES.some((phase) => upsellPricePence(phase, 'monthly15') === pence);
  return `${plan === 'annual' ? 'Yearly' : 'Monthly'}${isLess ? ` less ${percentOff}%` : ''}, ${formatPence(pence, true)}`;
}
