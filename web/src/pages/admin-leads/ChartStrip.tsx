import { Link } from 'react-router-dom';
import { DayChart, ReaderLinks, SourceChart } from './Charts.tsx';
import styles from './Charts.module.css';
import type { ListFilter } from './filter-params.ts';
import { useCharts } from './use-charts.ts';

type ChartStripProps = { filter: ListFilter; figuresLink: string; onSignedOut: () => void };

/** The two charts below the counters, at a height that is held for them while they load. */
export function ChartStrip({ filter, figuresLink, onSignedOut }: ChartStripProps) {
  const { figures, fault } = useCharts(filter, onSignedOut);
  if (fault !== undefined || !figures) {
    return <div className={styles.held}>{fault !== undefined && <p>The charts could not be loaded.</p>}</div>;
  }
  return (
    <div className={styles.pair}>
      <DayChart filter={filter} figures={figures} />
      <div>
        <SourceChart filter={filter} figures={figures} />
        <div className={styles.foot}>
          <ReaderLinks filter={filter} figures={figures} />
          <Link to={{ search: figuresLink }}>All figures as tables</Link>
        </div>
      </div>
    </div>
  );
}
