import type { ChartsAnswer } from '@site/schema/calls/charts';
import { classNames } from '../../ui/class-names.ts';
import { DayChart, SourceChart } from './Charts.tsx';
import styles from './Charts.module.css';
import { withoutStatus } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { useNow } from '../time/use-now.ts';
import { useCharts } from './use-charts.ts';

/** The two charts beside the counters. Their height is reserved while they load. */
export function ChartStrip({ filter: listed }: { filter: ListFilter }) {
  const filter = withoutStatus(listed);
  const now = useNow(false);
  const { data: figures, fault } = useCharts(filter);
  if (!figures) {
    return (
      <div className={styles.held}>
        {fault !== undefined && <p className={styles.empty}>The charts could not be loaded.</p>}
      </div>
    );
  }
  return (
    <div className={classNames(styles.held, styles.pair)}>
      <div className={styles.days}>
        <DayChart filter={filter} figures={figures} now={now} most={DAYS_BESIDE} />
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
