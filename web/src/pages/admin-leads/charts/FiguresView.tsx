import type { ChartsAnswer } from '@site/schema/console';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { classNames } from '../../../ui/class-names.ts';
import { CLASS_LABELS, nameSource } from './chart-labels.ts';
import { DayChart, HourChart, RevenueChart, SourceChart } from './Charts.tsx';
import chartStyles from './Charts.module.css';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { toQuery } from '../filters/filter-params.ts';
import { useFilter } from '../filters/use-filter.ts';
import { formatDuration, formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import styles from './FiguresView.module.css';
import { useCharts } from './use-charts.ts';

const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** All charts of the filter, each with its figures as a table. */
export function FiguresView() {
  const now = useNow(false);
  const { filter } = useFilter();
  const { data: figures, fault } = useCharts(filter);
  if (!figures || fault !== undefined) return <LoadState of="figures" fault={fault} />;
  return (
    <div className={classNames(styles.charts, chartStyles.tall)}>
      <div>
        <DayChart filter={filter} figures={figures} />
        <Figures
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
        <Figures
          caption="Leads by source, as a table"
          heads={['Source', 'Pre-Sample', 'Pre-Buy']}
          rows={figures.sources.map((row) => [nameSource(row), row.preSample, row.preBuy])}
        />
      </div>
      <div>
        <HourChart figures={figures} />
        <Figures
          caption="Beehiiv’s answers in the last 24 hours, as a table"
          heads={['Hour', 'Accepted', 'Permanent failure', 'Will retry']}
          rows={figures.hours.map(({ at, accepted, permanent, willRetry }) => [
            formatMoment(new Date(at), now),
            accepted,
            permanent,
            willRetry,
          ])}
        />
      </div>
      <div>
        {figures.revenue.length === 0 ? (
          <>
            <h2>Revenue by source</h2>
            <p>No paid subscriptions yet. A trial counts once it is paid.</p>
          </>
        ) : (
          <>
            <RevenueChart filter={filter} figures={figures} />
            <Figures
              caption="Monthly revenue by source, as a table"
              heads={['Source', 'Subscriptions', 'Revenue a month']}
              rows={figures.revenue.map(({ source, subscriptions, monthlyPence }) => [
                nameSource({ source }),
                subscriptions,
                formatPence(monthlyPence, true),
              ])}
            />
          </>
        )}
      </div>
      <Faults figures={figures} now={now} />
    </div>
  );
}

function Faults({ figures: { classes, oldestPending }, now }: { figures: ChartsAnswer; now: Date }) {
  return (
    <div>
      <h2>Errors in the last 24 hours</h2>
      {classes.length === 0 ? (
        <p>None.</p>
      ) : (
        <ul>
          {classes.map(({ class: kind, message, count, lastLeadId }) => (
            <li key={`${kind} ${message}`}>
              {formatCount(count)} × {CLASS_LABELS[kind]}: {message}{' '}
              <Link to={{ search: `lead=${lastLeadId}` }}>Show the latest</Link>
            </li>
          ))}
        </ul>
      )}
      <h2>Oldest pending leads</h2>
      {oldestPending.length === 0 ? (
        <p>Nothing is waiting.</p>
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
    </div>
  );
}

type FiguresProps = { caption: string; heads: string[]; rows: (string | number)[][] };

function Figures({ caption, heads, rows }: FiguresProps) {
  return (
    <details>
      <summary>{caption}</summary>
      <DataTable name={caption} heads={heads} numbersFrom={1}>
        {rows.map(([head, ...figures]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {figures.map((figure, index) => (
              <td key={heads[index + 1]} data-figure>
                {typeof figure === 'number' ? formatCount(figure) : figure}
              </td>
            ))}
          </tr>
        ))}
      </DataTable>
    </details>
  );
}
