import type { ChartsAnswer } from '@site/schema/console';
import { Link } from 'react-router-dom';
import { classNames } from '../../../ui/class-names.ts';
import { DayChart, SubscriberLinks, SourceChart } from './Charts.tsx';
import styles from './Charts.module.css';
import type { ListFilter } from '../filters/filter-params.ts';
import { useCharts } from './use-charts.ts';

type ChartStripProps = { filter: ListFilter; figuresLink: string; onSignedOut: () => void };

/** The two charts below the counters, at a height that is held for them while they load. */
export function ChartStrip({ filter, figuresLink, onSignedOut }: ChartStripProps) {
  const { figures, fault } = useCharts(filter, onSignedOut);
  if (fault !== undefined || !figures) {
    return <div className={styles.held}>{fault !== undefined && <p>The charts could not be loaded.</p>}</div>;
  }
  return (
    <div className={classNames(styles.held, styles.pair)}>
      <div className={styles.days}>
        <DayChart filter={filter} figures={figures} />
        <SubscriberLinks filter={filter} figures={figures} />
      </div>
      <SourceChart
        filter={filter}
        figures={{ ...figures, sources: sumUp(figures.sources) }}
        aside={
          <Link className={styles.more} to={{ search: figuresLink }}>
            All figures as tables
          </Link>
        }
      />
    </div>
  );
}

const SOURCES_BESIDE = 5;

/** As many sources as have room beside the counters; the smaller ones together. */
function sumUp(sources: ChartsAnswer['sources']): ChartsAnswer['sources'] {
  if (sources.length <= SOURCES_BESIDE) return sources;
  const rest = sources.slice(SOURCES_BESIDE - 1);
  const sum = (form: 'preSample' | 'preBuy') => rest.reduce((total, row) => total + row[form], 0);
  return [
    ...sources.slice(0, SOURCES_BESIDE - 1),
    { source: null, isRest: true, preSample: sum('preSample'), preBuy: sum('preBuy') },
  ];
}
