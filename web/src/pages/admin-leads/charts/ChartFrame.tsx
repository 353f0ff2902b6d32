import type { ReactNode } from 'react';
import styles from './Charts.module.css';

export type ChartTone = 'sample' | 'buy' | 'sent' | 'failed' | 'pending';

type ChartFrameProps = { title: string; aside?: ReactNode; isEmpty: boolean; children: ReactNode };

/** A chart with its heading, and beside that its legend or a way on. */
export function ChartFrame({ title, aside, isEmpty, children }: ChartFrameProps) {
  return (
    <section className={styles.chart} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {aside}
      </div>
      {isEmpty ? <p className={styles.empty}>No leads to draw.</p> : children}
    </section>
  );
}

export type ChartSeries = { name: string; tone: ChartTone };

type LegendProps = {
  series: readonly ChartSeries[];
  /** What is pointed at, with its figures in the order of the series. */
  shown?: { name: string; figures: readonly number[] } | undefined;
};

/** Which tone is what, from the top down. While a bar is pointed at, its figures stand here, where they cover nothing. */
export function ChartLegend({ series, shown }: LegendProps) {
  return (
    <p className={styles.legend}>
      {shown && <strong>{shown.name}</strong>}
      {series
        .map(({ name, tone }, index) => (
          <span key={name} data-tone={tone}>
            {name}
            {shown && <strong> {shown.figures[index]?.toLocaleString('en-GB')}</strong>}
          </span>
        ))
        .toReversed()}
    </p>
  );
}
