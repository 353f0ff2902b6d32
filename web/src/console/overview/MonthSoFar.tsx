import type { OverviewAnswer } from '@site/schema/calls/overview';
import type { PeopleList } from '@site/schema/calls/people';
import { dayBefore } from '@site/schema/calendar';
import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { countOf, formatCount } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { toSearch } from '../shared/filter-params.ts';
import { describeReasons } from '../person/money-labels.ts';
import { toPeople } from '../money/money-people-address.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { MrrLine } from './MrrLine.tsx';
import styles from './Overview.module.css';
import {
  formatChange,
  formatPounds,
  nameDays,
  nameMonth,
  toWholePounds,
} from './overview-words.ts';

const ON_LIST = `view=people&state=${'on-list' satisfies PeopleList}`;
const MONEY = { search: `view=${'money' satisfies ConsoleView}` };

/** What is taken off payments. */
const TAKEN = [
  ['refunded', 'refundedPence', 'refunded'],
  ['lost', 'lostPence', 'lost in disputes'],
] as const;
const toNet = (month: OverviewAnswer['month']) =>
  toWholePounds(TAKEN.reduce((net, [, sum]) => net - month[sum], month.paidPence));

/** How this month has gone so far, against the same days of the last. Each figure opens what it counts. */
export function MonthSoFar({ overview }: { overview: OverviewAnswer }) {
  const { month, monthBefore, reasons, mrr, list, atMonthStart } = overview;
  const { startDate, endDate } = month;
  const days = { startDate, endDate };
  const earlier = `${nameMonth(monthBefore.startDate)}’s`;
  const start = nameDays({ startDate: dayBefore(startDate), endDate: dayBefore(startDate) });
  const [net, netBefore] = [toNet(month), toNet(monthBefore)];
  const isKnown = atMonthStart.mrrPence !== null || monthBefore.paidPence > 0;
  const change = (by: number, before: string, format?: (amount: number) => string) =>
    isKnown && <Change by={by} format={format} to={`on ${earlier} ${before}`} />;
  return (
    <section aria-labelledby="month">
      <SectionHead
        id="month"
        title={`${nameMonth(startDate)} so far`}
        aside={`${nameDays(month)}, ${isKnown ? `against ${nameDays(monthBefore)}` : `${nameMonth(monthBefore.startDate)} is not known`}`}
      >
        <Link to={MONEY}>All months</Link>
      </SectionHead>
      <dl className={styles.month}>
        <Figure name="Money in" value={formatPounds(net)} to={toSearch(days, 'money')}>
          {change(net - netBefore, formatPounds(netBefore), formatPounds)}
          <p>
            <Link to={{ search: toPeople('payments', days) }}>
              {formatPounds(month.paidPence)} paid
            </Link>
            {TAKEN.map(
              ([of, sum, words]) =>
                month[sum] > 0 && (
                  <Fragment key={of}>
                    {', '}
                    <Link to={{ search: toPeople(of, days) }}>
                      {formatPounds(month[sum])} {words}
                    </Link>
                  </Fragment>
                ),
            )}
          </p>
          {month.heldPence > 0 && (
            <p>{formatPounds(month.heldPence)} of it disputed, held by Stripe</p>
          )}
        </Figure>
        <Figure
          name="MRR"
          value={formatPounds(mrr.pence)}
          to={toPeople('mrr', {})}
          beside={<MrrLine />}
        >
          {atMonthStart.mrrPence === null ? (
            <p>not known on {start}</p>
          ) : (
            <Change
              by={toWholePounds(mrr.pence) - toWholePounds(atMonthStart.mrrPence)}
              format={formatPounds}
              to={`since ${start}`}
            />
          )}
          <p>
            Monthly recurring revenue: what {countOf(mrr.count, 'subscription')}{' '}
            {mrr.count === 1 ? 'brings' : 'bring'} in a month, also while Stripe retries a payment.
            A yearly payment counts a twelfth.
          </p>
        </Figure>
        <Figure
          name="New payers"
          value={formatCount(month.newPayers)}
          to={toPeople('new-payers', days)}
        >
          {change(month.newPayers - monthBefore.newPayers, formatCount(monthBefore.newPayers))}
        </Figure>
        <Figure
          name="Cancellations"
          value={formatCount(month.cancelled)}
          to={toPeople('cancelled', days)}
        >
          {change(month.cancelled - monthBefore.cancelled, formatCount(monthBefore.cancelled))}
          <p>{describeReasons(reasons)}</p>
        </Figure>
        <Figure name="On the list" value={formatCount(list.onList)} to={ON_LIST}>
          {atMonthStart.onList === null ? (
            <p>not known on {start}</p>
          ) : (
            <>
              <Change by={list.onList - atMonthStart.onList} to={`since ${start}`} />
              <p>
                {formatCount(list.onList - atMonthStart.onList + list.left)} joined,{' '}
                {formatCount(list.left)} left
              </p>
            </>
          )}
        </Figure>
      </dl>
    </section>
  );
}

type FigureProps = {
  name: string;
  value: string;
  to: string;
  beside?: ReactNode;
  children: ReactNode;
};

function Figure({ name, value, to, beside, children }: FigureProps) {
  return (
    <div data-wide={beside !== undefined || undefined}>
      <dt>
        <Link to={{ search: to }}>{name}</Link>
      </dt>
      <dd className={styles.value}>{value}</dd>
      <dd className={styles.notes}>{children}</dd>
      {beside && <dd className={styles.beside}>{beside}</dd>}
    </div>
  );
}

type ChangeProps = { by: number; format?: ((amount: number) => string) | undefined; to: string };

/** `+£920 on November’s £7,744`. Never coloured: fewer cancellations are no worse than more payers. */
function Change({ by, format, to }: ChangeProps) {
  return (
    <p>
      <strong>{formatChange(by, format) ?? 'no change'}</strong> {to}
    </p>
  );
}
