import { MAX_CHARTED } from '@site/schema/calls/charts';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { londonDate } from '@site/schema/calendar';
import { Link } from 'react-router-dom';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../shared/format-count.ts';
import { Skeleton } from '../shared/Skeleton.tsx';
import { lastDays } from './chart-days.ts';
import { describeSpan, formatDay, labelDay } from '../shared/chart-labels.ts';
import { ChartColumns } from '../shared/ChartColumns.tsx';
import { ChartFrame } from '../shared/ChartFrame.tsx';
import styles from '../shared/Charts.module.css';
import { toQuery, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { describeButton } from '../lead/lead-labels.ts';
import { SKELETON_AFTER_MS, useDelayed } from '../shared/use-delayed.ts';
import { useNow } from '../shared/use-now.ts';
import { useCharts } from './use-charts.ts';

/** The two charts beside the counters. Their height is reserved while they load. */
export function ChartStrip({ filter: listed }: { filter: ListFilter }) {
  const filter = withoutStatus(listed);
  const { data: figures, fault, isOwn } = useCharts(filter);
  const isOld = useDelayed(!isOwn, SKELETON_AFTER_MS);
  if (!figures || isOld) {
    return (
      <div className={styles.held}>
        {fault === undefined ? (
          <Skeleton rows={3} />
        ) : (
          <p className={styles.empty}>The charts could not be loaded.</p>
        )}
      </div>
    );
  }
  return (
    <div className={classNames(styles.held, styles.pair)}>
      <div className={styles.days}>
        <DayChart filter={filter} figures={figures} />
      </div>
      <SourceChart filter={filter} figures={{ ...figures, sources: sumUp(figures.sources) }} />
    </div>
  );
}

/** As many columns as fit beside the counters. */
const DAYS_BESIDE = 14;
const SOURCES_BESIDE = 4;

/** As many sources as fit beside the counters, with the smaller ones summed up. */
function sumUp(sources: ChartsAnswer['sources']): ChartsAnswer['sources'] {
  if (sources.length <= SOURCES_BESIDE) return sources;
  const rest = sources.slice(SOURCES_BESIDE - 1);
  const sum = (form: 'preSample' | 'preBuy') => rest.reduce((total, row) => total + row[form], 0);
  return [
    ...sources.slice(0, SOURCES_BESIDE - 1),
    { source: null, isRest: true, preSample: sum('preSample'), preBuy: sum('preBuy') },
  ];
}

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };

/** Leads by day over the last days of the filter's dates. Each column is a link to its leads. */
function DayChart({ filter, figures: { days } }: ChartProps) {
  const now = useNow(false);
  const shown = lastDays(days, filter, londonDate(now), DAYS_BESIDE);
  const columns = shown.map(({ day, preSample, preBuy }) => ({
    id: day,
    ...labelDay(day),
    label: `${formatDay(day)}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
    figures: [preBuy, preSample],
    to: toQuery({ ...filter, startDate: day, endDate: day }),
  }));
  return (
    <ChartColumns
      title="Leads by day"
      range={describeSpan(shown)}
      isEmpty={days.length === 0}
      series={[
        { name: 'Pre-Buy', tone: 'buy' },
        { name: 'Pre-Sample', tone: 'sample' },
      ]}
      columns={columns}
    />
  );
}

/** Leads by source as horizontal bars, each a link to its leads. The sum of the smaller ones has none. */
function SourceChart({ filter, figures: { sources, isCapped } }: ChartProps) {
  const most = Math.max(1, ...sources.map(({ preSample, preBuy }) => preSample + preBuy));
  // In per cent of the width, so that nothing has to be measured.
  const share = (figure: number) => `${(100 * figure) / most}%`;
  return (
    <ChartFrame title="By source" isEmpty={sources.length === 0}>
      <ul className={styles.rows}>
        {sources.map(({ source, isRest, preSample, preBuy }) => {
          const name = isRest ? 'all others' : describeButton(source ?? '');
          const content = (
            <>
              <bdi className={styles.name}>{name}</bdi>
              <svg className={styles.track} height={BAR_HEIGHT} aria-hidden="true">
                <rect data-tone="sample" width={share(preSample)} height={BAR_HEIGHT} />
                <rect
                  data-tone="buy"
                  x={share(preSample)}
                  width={share(preBuy)}
                  height={BAR_HEIGHT}
                />
              </svg>
              <span className={styles.figure}>{formatCount(preSample + preBuy)}</span>
            </>
          );
          return (
            <li key={isRest ? 'rest' : (source ?? '')}>
              {isRest ? (
                <span className={styles.row}>{content}</span>
              ) : (
                <Link
                  className={styles.row}
                  to={{ search: toQuery({ ...filter, ...toSource(source) }) }}
                  title={`Show ${name}`}
                >
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {isCapped && <p className={styles.note}>Of the newest {formatCount(MAX_CHARTED)} leads.</p>}
    </ChartFrame>
  );
}

const BAR_HEIGHT = 12;

const toSource = (source: string | null): ListFilter =>
  source === null ? { source: undefined, without: 'source' } : { source, without: undefined };
