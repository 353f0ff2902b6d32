import type { MoneyAnswer } from '@site/schema/calls/money';
import type { MoneyFiguresAnswer } from '@site/schema/calls/money-figures';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import { formatPence, OFFER_PHASES, UPSELLS, upsellPricePence } from '@site/schema/offer';
import type { BillingInterval } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../shared/format-count.ts';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import styles from './Money.module.css';
import { toPeople } from './money-people-address.ts';
import { SumCells } from './MonthSum.tsx';

type PayersNowProps = {
  money: MoneyAnswer;
  paused: MoneyFiguresAnswer['figures']['paused'] | undefined;
};

/** Who pays now, by plan and price, and below it who else has a subscription. Each number opens its rows. */
export function PayersNow({ money: { prices, mrr, stages }, paused }: PayersNowProps) {
  const { data } = useApiData('GET /api/admin/people/complimentary');
  const free = data?.access.filter(({ isOver }) => !isOver).length;
  const others = SUBSCRIPTION_STAGES.filter((stage) => stages[stage] > 0);
  return (
    <div>
      <table className={styles.sum} aria-label="In MRR now">
        <thead>
          <tr>
            <th scope="col">In MRR now</th>
            <th scope="col">Number</th>
            <th scope="col">
              <abbr title="Monthly recurring revenue: what these subscriptions bring in a month, also while Stripe retries a payment; a yearly price as a twelfth">
                MRR
              </abbr>
            </th>
          </tr>
        </thead>
        <tbody>
          {prices.map(({ plan, price, ...figure }) => (
            <tr key={`${plan} ${price}`}>
              <th scope="row">{describePrice(plan, price)}</th>
              <SumCells
                {...figure}
                to={toPeople('mrr', {}, { plan, price })}
                name={describePrice(plan, price)}
              />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <SumCells {...mrr} to={toPeople('mrr', {})} name="All of MRR" />
          </tr>
        </tfoot>
      </table>
      <p className={styles.note}>
        {others.length === 0 ? 'No subscriptions yet' : 'Subscriptions: '}
        {others.map((stage, n) => (
          <span key={stage}>
            {n > 0 && ', '}
            <Link to={{ search: toPeople(stage, {}) }}>
              {formatCount(stages[stage])} {STAGE_NAMES[stage].toLowerCase()}
            </Link>
          </span>
        ))}
        .{' '}
        {stages.dunning > 0 &&
          'MRR includes subscriptions whose first payment Stripe still retries; a payer has paid at least once. '}
        {paused && paused.count > 0 && (
          <>
            <Link to={{ search: toPeople('paused', {}) }}>
              {formatCount(paused.count)} with collection paused, {formatPence(paused.pence, true)}{' '}
              a month
            </Link>
            , not in MRR.{' '}
          </>
        )}
        <Link to={{ search: 'view=money&people=free-access' }}>
          {free ? formatCount(free) : 'Nobody'}
        </Link>{' '}
        {free === undefined || free === 0 || free === 1 ? 'has' : 'have'} free access.
      </p>
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
