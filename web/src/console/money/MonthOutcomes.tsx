import type { MoneyFiguresAnswer } from '@site/schema/calls/money-figures';
import type { CallAnswer } from '@site/schema/calls/calls';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../elements/format-count.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { describeButton } from '../lead/lead-labels.ts';
import styles from './Money.module.css';
import { describeCancellation } from './money-labels.ts';
import { toPeople } from './money-people-address.ts';
import { useMoneyPeriod } from './money-period.ts';

type Outcomes = CallAnswer<'GET /api/admin/money/outcomes'>;
type MonthOutcomesProps = { figures: MoneyFiguresAnswer['figures'] | undefined; dashboardUrl: string };

/** Who came and left in the period and why, how trials and failed cards ended, and where the money came from. */
export function MonthOutcomes({ figures, dashboardUrl }: MonthOutcomesProps) {
  const { period, name } = useMoneyPeriod();
  const options = { keepPreviousData: true };
  const { data, fault, reload } = useApiData('GET /api/admin/money/outcomes', { query: period }, options);
  const people = (of: 'new-payers' | 'cancelled') => {
    const count = figures?.[of].count ?? 0;
    return count === 0 ? '0' : <Link to={{ search: toPeople(of, period) }}>{formatCount(count)}</Link>;
  };
  return (
    <section aria-label="Came and left">
      <SectionHead title="Came and left" aside={name} />
      <LoadState of="how the period ended" data={data} fault={fault} reload={reload} />
      {data && (
        <dl className={styles.outcomes}>
          <dt>New payers</dt>
          <dd>
            {people('new-payers')}. Of {formatCount(data.trials.ended)} trials that ended,{' '}
            {formatCount(data.trials.becamePayers)} became payers.
          </dd>
          <dt>Cancellations</dt>
          <dd>
            {people('cancelled')}
            {figures && figures.cancelled.pence > 0 && `, −${formatPence(figures.cancelled.pence, true)} MRR`}. Reasons:{' '}
            {list(data.reasons, ({ reason, count }) => `${describeCancellation(reason)} ${formatCount(count)}`)}.
          </dd>
          <dt>Failed cards</dt>
          <dd>{describeCards(data.cards)}.</dd>
          <dt>Paid, by channel</dt>
          <dd>{describeSources(data.channels, (channel) => channel)}.</dd>
          <dt>Paid, by button</dt>
          <dd>{describeSources(data.buttons, describeButton)}.</dd>
          <dt>In Stripe</dt>
          <dd>
            <a href={`${dashboardUrl}/reports/balance`}>balance</a>, <a href={`${dashboardUrl}/payouts`}>payouts</a>,{' '}
            <a href={`${dashboardUrl}/tax`}>tax</a>
          </dd>
        </dl>
      )}
    </section>
  );
}

const list = <Item,>(items: readonly Item[], describe: (item: Item) => string) =>
  items.length === 0 ? 'none' : items.map(describe).join(', ');

function describeCards(cards: Outcomes['cards']): string {
  const parts = (['recovered', 'lost', 'waiting'] as const).map((end) => {
    const { count, pence } = cards[end];
    return `${formatCount(count)} ${end}${count > 0 ? ` (${formatPence(pence, true)})` : ''}`;
  });
  return parts.join(', ');
}

function describeSources(sources: Outcomes['channels'], describe: (name: string) => string): string {
  const moved = sources.filter(({ paidPence, returnedPence }) => paidPence > 0 || returnedPence > 0);
  return list(moved, ({ name, paidPence, returnedPence }) => {
    const returned = returnedPence > 0 ? ` (${formatPence(returnedPence, true)} given back)` : '';
    return `${name === null ? 'Not known' : describe(name)} ${formatPence(paidPence, true)}${returned}`;
  });
}
