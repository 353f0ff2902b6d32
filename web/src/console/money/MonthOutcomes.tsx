import type { MoneyFigure, MoneyFiguresAnswer } from '@site/schema/calls/money-figures';
import type { CallAnswer } from '@site/schema/calls/calls';
import { formatPence } from '@site/schema/offer';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { formatCount } from '../shared/format-count.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { describeButton } from '../lead/lead-labels.ts';
import styles from './Money.module.css';
import { describeReasons } from '../person/money-labels.ts';
import { toPeople } from './money-people-address.ts';
import { formatSum } from './MonthSum.tsx';
import { useMoneyPeriod } from './money-period.ts';

type Outcomes = CallAnswer<'GET /api/admin/money/outcomes'>;
type MonthOutcomesProps = {
  figures: MoneyFiguresAnswer['figures'] | undefined;
  dashboardUrl: string;
};

/** Who came and left in the period and why, how trials and failed cards ended, and where the money came from. */
export function MonthOutcomes({ figures, dashboardUrl }: MonthOutcomesProps) {
  const { period, name, isPast } = useMoneyPeriod();
  const options = { keepPreviousData: true };
  const { data, fault, reload } = useApiData(
    'GET /api/admin/money/outcomes',
    { query: period },
    options,
  );
  const people = (of: MoneyFigure, words = formatCount(figures?.[of].count ?? 0)) =>
    figures?.[of].count ? <Link to={{ search: toPeople(of, period) }}>{words}</Link> : '0';
  const cards = CARD_ENDS.filter(
    ([of]) => figures?.[of].count && !(isPast && of === 'cards-waiting'),
  );
  return (
    <section aria-label="Came and left">
      <SectionHead title="Came and left" aside={name} />
      <LoadState of="how the period ended" data={data} fault={fault} reload={reload} />
      {data && (
        <>
          <dl className={styles.outcomes}>
            <dt>New payers</dt>
            <dd>{people('new-payers')}</dd>
            <dt>Cancellations</dt>
            <dd>
              {people('cancelled')}
              {figures &&
                figures.cancelled.pence > 0 &&
                `, −${formatPence(figures.cancelled.pence, true)} MRR`}
              {data.reasons.length > 0 && `: ${describeReasons(data.reasons)}`}
            </dd>
            <dt>Trials that ended</dt>
            <dd>
              {formatCount(data.trials.becamePayers)} of{' '}
              {people('trials-ended', formatCount(data.trials.ended))} became{' '}
              {data.trials.becamePayers === 1 ? 'a payer' : 'payers'}
            </dd>
            <dt>Trials cancelled</dt>
            <dd>
              {people('trials-cancelled')}
              {data.trialReasons.length > 0 && `: ${describeReasons(data.trialReasons)}`}
            </dd>
            <dt>Failed cards</dt>
            <dd>
              {cards.length === 0 && (isPast ? 'none recovered or lost' : '0')}
              {cards.map(([of, end], index) => (
                <Fragment key={of}>
                  {index > 0 && ', '}
                  {people(of, `${formatCount(figures?.[of].count ?? 0)} ${end}`)} (
                  {formatPence(figures?.[of].pence ?? 0, true)})
                </Fragment>
              ))}
            </dd>
            <dt>In Stripe</dt>
            <dd>
              <a href={`${dashboardUrl}/reports/balance`}>balance</a>,{' '}
              <a href={`${dashboardUrl}/payouts`}>payouts</a>,{' '}
              <a href={`${dashboardUrl}/tax`}>tax</a>
            </dd>
          </dl>
          <div className={styles.sources}>
            <Sources
              title="Paid, by channel"
              sources={data.channels}
              describe={(channel) => channel}
            />
            <Sources title="Paid, by button" sources={data.buttons} describe={describeButton} />
          </div>
        </>
      )}
    </section>
  );
}

/** Those that wait are not of the period. */
const CARD_ENDS = [
  ['cards-recovered', 'recovered'],
  ['cards-lost', 'lost'],
  ['cards-waiting', 'waiting now'],
] as const;

type SourcesProps = {
  title: string;
  sources: Outcomes['channels'];
  describe: (name: string) => string;
};

/** What each channel or button brought in, and what of it was refunded or lost in disputes. */
function Sources({ title, sources, describe }: SourcesProps) {
  if (sources.length === 0) return null;
  return (
    <DataTable
      name={title}
      heads={[title, 'Paid', 'Refunded or lost']}
      numbersFrom={1}
      isStacking={false}
    >
      {sources.map(({ name, paidPence, returnedPence }) => (
        <tr key={name}>
          <th scope="row">{name === null ? 'Not known' : describe(name)}</th>
          <td data-figure>{formatPence(paidPence, true)}</td>
          <td data-figure>{returnedPence === 0 ? '–' : formatSum(-returnedPence)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
