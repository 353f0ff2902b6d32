import type { ChartsAnswer } from '@site/schema/console';
import { MOST_CHARTED, MOST_DAYS } from '@site/schema/console';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { classNames } from '../../../ui/class-names.ts';
import { formatCount } from '../elements/format-count.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { formatDuration, formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { nameSource } from './chart-labels.ts';
import chartStyles from './Charts.module.css';
import { DayChart, RevenueChart, SourceChart } from './Charts.tsx';
import { HourChart } from './HourChart.tsx';
import { ErrorTable } from './ErrorTable.tsx';
import { FigureTable } from './FigureTable.tsx';
import styles from './FiguresView.module.css';
import { KeyFigures } from './KeyFigures.tsx';

const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A longer table would slow the page down. */
const MOST_TABLED = 400;

/** All figures and charts, each chart with its figures as a table. */
export function Figures({ filter, figures }: { filter: ListFilter; figures: ChartsAnswer }) {
  const now = useNow(false);
  const { oldestPending } = figures;
  return (
    <>
      <KeyFigures filter={filter} figures={figures} />
      {figures.isCapped && (
        <p className={styles.quiet}>
          All but the leads by day are of the newest {formatCount(MOST_CHARTED)} leads of the range.
        </p>
      )}
      <div className={classNames(styles.charts, chartStyles.tall)}>
        <div>
          <DayChart filter={filter} figures={figures} now={now} most={MOST_DAYS} />
          <FigureTable
            caption="Leads by day, as a table"
            heads={['Day', 'Pre-Sample', 'Pre-Buy']}
            rows={figures.days.map(({ day, preSample, preBuy }) => [
              dayMonthYear.format(new Date(day)),
              preSample,
              preBuy,
            ])}
          />
        </div>
        <div>
          <SourceChart filter={filter} figures={figures} />
          <FigureTable
            caption="Leads by source, as a table"
            heads={['Source', 'Pre-Sample', 'Pre-Buy']}
            rows={figures.sources.map((row) => [nameSource(row), row.preSample, row.preBuy])}
          />
        </div>
        <div>
          <HourChart filter={filter} figures={figures} now={now} />
          <FigureTable
            caption={
              figures.hours.length > MOST_TABLED
                ? `Attempts by hour, the last ${MOST_TABLED} with any, as a table`
                : 'Attempts by hour, as a table'
            }
            heads={['Hour', 'Accepted', 'Permanent failure', 'Will retry']}
            rows={figures.hours
              .slice(-MOST_TABLED)
              .map(({ at, accepted, permanent, willRetry }) => [
                formatMoment(new Date(at), now),
                accepted,
                permanent,
                willRetry,
              ])}
          />
        </div>
        <div>
          <RevenueChart filter={filter} figures={figures} />
          <FigureTable
            caption="MRR by source, as a table"
            heads={['Source', 'Subscriptions', 'MRR']}
            rows={figures.revenue.map(({ source, subscriptions, monthlyPence }) => [
              nameSource({ source }),
              subscriptions,
              formatPence(monthlyPence, true),
            ])}
          />
        </div>
      </div>
      <ErrorTable filter={filter} classes={figures.classes} now={now} />
      <section aria-labelledby="oldest-pending">
        <h2 id="oldest-pending" className={styles.heading}>
          Oldest pending leads
        </h2>
        {oldestPending.length === 0 ? (
          <p className={styles.quiet}>Nothing is waiting.</p>
        ) : (
          <ul>
            {oldestPending.map(({ id, email, submittedAt }) => (
              <li key={id}>
                <Link to={{ search: `${toQuery({ status: 'pending' })}&lead=${id}` }}>
                  <bdi>{email}</bdi>
                </Link>{' '}
                for {formatDuration(now.getTime() - Date.parse(submittedAt))}
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
