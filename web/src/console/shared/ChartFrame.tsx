import type { ReactNode } from 'react';
import { formatCount } from './format-count.ts';
import styles from './Charts.module.css';

export type ChartTone = 'sample' | 'buy' | 'sent' | 'failed';

type ChartFrameProps = {
  title: string;
  range?: string | undefined;
  aside?: ReactNode;
  isEmpty: boolean;
  empty?: string | undefined;
  children: ReactNode;
};

/** A chart with its heading, and beside the heading its legend or a link. */
export function ChartFrame({
  title,
  range,
  aside,
  isEmpty,
  empty = 'No leads to show.',
  children,
}: ChartFrameProps) {
  return (
    <section className={styles.chart} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {title} {range && <span className={styles.range}>{range}</span>}
        </h2>
        {aside}
      </div>
      {isEmpty ? <p className={styles.empty}>{empty}</p> : children}
    </section>
  );
}

/** `total` appears beside the name in the legend. */
export type ChartSeries = { name: string; tone: ChartTone; total?: number };

export function ChartLegend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <p className={styles.legend}>
      {series.toReversed().map(({ name, tone, total }) => (
        <span key={name} data-tone={tone}>
          {name}
          {total !== undefined && ` ${formatCount(total)}`}
        </span>
      ))}
    </p>
  );
}

type ChartTipProps = {
  series: readonly ChartSeries[];
  column: { name: string; figures: readonly number[] };
  /** Where the column begins and ends, as shares of the chart's width. */
  from: number;
  to: number;
};

/** The figures of a column beside it, while it has the pointer or the focus. Hidden from screen readers, which read its name. */
export function ChartTip({ series, column, from, to }: ChartTipProps) {
  return (
    <div
      className={styles.tip}
      // On the side with more room, so that it never covers the column's own figure.
      style={from + to < 1 ? { left: `${to * 100}%` } : { right: `${(1 - from) * 100}%` }}
      data-tip
      aria-hidden="true"
    >
      <strong>{column.name}</strong>
      {series
        .map(({ name, tone }, index) => (
          <span key={name} data-tone={tone}>
            {name} <strong>{formatCount(column.figures[index] ?? 0)}</strong>
          </span>
        ))
        .toReversed()}
    </div>
  );
}
