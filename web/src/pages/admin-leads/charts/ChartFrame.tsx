import type { ReactNode } from 'react';
import { formatCount } from '../elements/format-count.ts';
import styles from './Charts.module.css';

export type ChartTone = 'sample' | 'buy' | 'sent' | 'failed' | 'pending';

type ChartFrameProps = { title: string; aside?: ReactNode; isEmpty: boolean; children: ReactNode };

/** A chart with its heading, and beside the heading its legend or a link. */
export function ChartFrame({ title, aside, isEmpty, children }: ChartFrameProps) {
  return (
    <section className={styles.chart} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {aside}
      </div>
      {isEmpty ? <p className={styles.empty}>No leads to show.</p> : children}
    </section>
  );
}

export type ChartSeries = { name: string; tone: ChartTone };

type LegendProps = {
  series: readonly ChartSeries[];
  /** The hovered column, with its figures in the order of the series. */
  shown?: { name: string; figures: readonly number[] } | undefined;
};

/** Names the colours, from the top down. While a column is hovered, the legend shows its figures. */
export function ChartLegend({ series, shown }: LegendProps) {
  return (
    <p className={styles.legend}>
      {shown && <strong>{shown.name}</strong>}
      {series
        .map(({ name, tone }, index) => (
          <span key={name} data-tone={tone}>
            {name}
            {shown && <strong> {formatCount(shown.figures[index] ?? 0)}</strong>}
          </span>
        ))
        .toReversed()}
    </p>
  );
}
