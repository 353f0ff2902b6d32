import type { ChartsAnswer } from '@site/schema/calls/charts';
import { MAX_CHARTED, MAX_DAYS } from '@site/schema/calls/charts';
import { londonDate } from '@site/schema/calendar';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../elements/format-count.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { useNow } from '../time/use-now.ts';
import { lastDays } from './chart-days.ts';
import { nameSource } from './chart-labels.ts';
import chartStyles from './Charts.module.css';
import { DayChart, SourceChart } from './Charts.tsx';
import { FigureTable } from './FigureTable.tsx';
import styles from './FiguresView.module.css';
import { KeyFigures } from './KeyFigures.tsx';

const dayMonthYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** All figures and charts, each chart with its figures as a table. */
export function Figures({ filter, figures }: { filter: ListFilter; figures: ChartsAnswer }) {
  const now = useNow(false);
  const today = londonDate(now);
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
      </div>
    </div>
  );
}
