import type { ChartsAnswer } from '@site/schema/console';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { classNames } from '../../../ui/class-names.ts';
import { describeFault } from '../call-fault.ts';
import { nameSource } from './chart-labels.ts';
import { DayChart, HourChart, RevenueChart, SourceChart } from './Charts.tsx';
import chartStyles from './Charts.module.css';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { formatDuration, formatMoment } from '../london-time.ts';
import { useCharts } from './use-charts.ts';
import { useNow } from '../use-now.ts';
import styles from '../View.module.css';
import { ViewTable } from '../ViewTable.tsx';

type FiguresViewProps = { filter: ListFilter; onSignedOut: () => void };

/** Every chart of the filter, each with its figures as a table. */
export function FiguresView({ filter, onSignedOut }: FiguresViewProps) {
  const now = useNow(false);
  const { figures, fault } = useCharts(filter, onSignedOut);
  if (fault !== undefined) return <p role="alert">{describeFault(fault)}</p>;
  if (!figures) return <output>Loading figures...</output>;
  return (
    <div className={classNames(styles.charts, chartStyles.tall)}>
      <div>
        <DayChart filter={filter} figures={figures} />
        <Figures
          caption="Leads by day, as a table"
          heads={['Day', 'Pre-Sample', 'Pre-Buy']}
          rows={figures.days.map(({ day, preSample, preBuy }) => [day, preSample, preBuy])}
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
            <p>No subscription is paid for yet. Trials count when they are.</p>
          </>
        ) : (
          <>
            <RevenueChart filter={filter} figures={figures} />
            <Figures
              caption="What paid subscriptions bring in a month, as a table"
              heads={['Source', 'Subscriptions', 'Pounds a month']}
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
      <h2>What went wrong, last 24 hours</h2>
      {classes.length === 0 ? (
        <p>Nothing.</p>
      ) : (
        <ul>
          {classes.map(({ class: kind, message, count, lastLeadId }) => (
            <li key={`${kind} ${message}`}>
              {count.toLocaleString('en-GB')} × {kind}: {message}{' '}
              <Link to={{ search: `lead=${lastLeadId}` }}>show the last</Link>
            </li>
          ))}
        </ul>
      )}
      <h2>Waiting longest</h2>
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
      <ViewTable name={caption} heads={heads} ofFigures>
        {rows.map(([head, ...figures]) => (
          <tr key={head}>
            <th scope="row">{head}</th>
            {figures.map((figure, index) => (
              <td key={heads[index + 1]} data-figure>
                {figure.toLocaleString('en-GB')}
              </td>
            ))}
          </tr>
        ))}
      </ViewTable>
    </details>
  );
}
