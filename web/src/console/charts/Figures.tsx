import type { ChartsAnswer } from '@site/schema/calls/charts';
import { MAX_CHARTED, MAX_DAYS } from '@site/schema/calls/charts';
import { londonDate } from '@site/schema/calendar';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../elements/format-count.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { lastDays } from './chart-days.ts';
import { byDay, describeAttemptRange, hourOf, sumUp } from './chart-hours.ts';
import { nameSource } from './chart-labels.ts';
import chartStyles from './Charts.module.css';
import { DayChart, SourceChart } from './Charts.tsx';
import { AttemptDayChart, HourChart, HourOfDayChart } from './HourChart.tsx';
import { ErrorTable } from './ErrorTable.tsx';
import { FigureTable } from './FigureTable.tsx';
import styles from './FiguresView.module.css';
import { KeyFigures } from './KeyFigures.tsx';
import { OldestPending } from './OldestPending.tsx';

const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** So many days have room for a column an hour. */
const MAX_DAYS_OF_HOURS = 2;
const OUTCOMES = ['Accepted', 'Permanent failure', 'Will retry'];

/** All figures and charts, each chart with its figures as a table. */
export function Figures({ filter, figures }: { filter: ListFilter; figures: ChartsAnswer }) {
  const now = useNow(false);
  const today = londonDate(now);
  const days = byDay(figures.hours, filter, today);
  const attempts = { days, range: describeAttemptRange(days, filter, figures.areHoursCapped) };
  const toOutcomes = ({ accepted, permanent, willRetry }: ReturnType<typeof sumUp>) => [accepted, permanent, willRetry];
  return (
    <div className={styles.figures}>
      <KeyFigures filter={filter} figures={figures} />
      {figures.isCapped && (
        <p className={styles.quiet}>
          All but the leads by day are of the newest {formatCount(MAX_CHARTED)} leads of the range.
        </p>
      )}
      <div className={classNames(styles.charts, chartStyles.tall)}>
        <div>
          <DayChart filter={filter} figures={figures} now={now} most={MAX_DAYS} />
          {figures.days.length > 0 && (
            <FigureTable
              caption="Leads by day, as a table"
              heads={['Day', 'Pre-Sample', 'Pre-Buy']}
              rows={lastDays(figures.days, filter, today, MAX_DAYS).map(({ day, preSample, preBuy }) => [
                dayMonthYear.format(new Date(day)),
                preSample,
                preBuy,
              ])}
            />
          )}
        </div>
        <div>
          <SourceChart filter={filter} figures={figures} />
          <FigureTable
            caption="Leads by source, as a table"
            heads={['Source', 'Pre-Sample', 'Pre-Buy']}
            rows={figures.sources.map((row) => [nameSource(row), row.preSample, row.preBuy])}
          />
        </div>
        {days.length <= MAX_DAYS_OF_HOURS ? (
          <div className={styles.wide}>
            <HourChart {...attempts} now={now} />
            <FigureTable
              caption="Attempts by hour, as a table"
              heads={['Hour', ...OUTCOMES]}
              rows={figures.hours.map((hour) => [formatMoment(new Date(hour.at), now), ...toOutcomes(hour)])}
            />
          </div>
        ) : (
          <>
            <div>
              <AttemptDayChart {...attempts} filter={filter} />
              {figures.hours.length > 0 && (
                <FigureTable
                  caption="Attempts by day, as a table"
                  heads={['Day', ...OUTCOMES]}
                  rows={days.map(({ day, hours }) => [dayMonthYear.format(new Date(day)), ...toOutcomes(sumUp(hours))])}
                />
              )}
            </div>
            <div>
              <HourOfDayChart {...attempts} />
              {figures.hours.length > 0 && (
                <FigureTable
                  caption="Attempts by hour of the day, as a table"
                  heads={['Hour', ...OUTCOMES]}
                  rows={Array.from({ length: 24 }, (_, clock) => [
                    `${String(clock).padStart(2, '0')}:00`,
                    ...toOutcomes(sumUp(figures.hours.filter(({ at }) => hourOf(new Date(at)) === clock))),
                  ])}
                />
              )}
            </div>
          </>
        )}
      </div>
      <ErrorTable classes={figures.classes} range={attempts.range} now={now} />
      <OldestPending leads={figures.oldestPending} now={now} />
    </div>
  );
}
