import { Link } from 'react-router-dom';
import type { ReactNode } from 'react';
import { formatCount } from './format.ts';
import styles from './Chart.module.css';

type ChartTone = 'sample' | 'buy' | 'sent' | 'failed';

type ChartColumn = {
  id: string;
  /** The short label below the column. */
  tick: string;
  /** The column's figures in words. */
  label: string;
  /** The figures in the order of the series. */
  figures: readonly number[];
  to: string;
};

type ChartProps = {
  title: string;
  range?: string;
  /** Replaces the columns if there are no figures. */
  empty?: string;
  /** The series from bottom to top. */
  series: readonly { name: string; tone: ChartTone }[];
  columns: readonly ChartColumn[];
};

const sumOf = ({ figures }: ChartColumn) => figures.reduce((sum, figure) => sum + figure, 0);

/**
 * Charts figures over time as stacked columns. Each column is a link, named by its figures, unless
 * they are zero.
 */
export function Chart({ title, range, empty = 'No leads to show.', series, columns }: ChartProps) {
  const most = Math.max(0, ...columns.map(sumOf));
  const top = Math.max(1, most);
  const percent = (figure: number) => `${(100 * figure) / top}%`;
  const highest = columns.find((column) => sumOf(column) === most);
  return (
    <ChartFrame
      title={title}
      range={range}
      aside={
        <p className={styles.legend}>
          {series.toReversed().map(({ name, tone }) => (
            <span key={name} data-tone={tone}>
              {name}
            </span>
          ))}
        </p>
      }
    >
      {most === 0 ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        <div className={styles.plot}>
          <div className={styles.lines} aria-hidden="true">
            {listLines(most).map((line) => (
              <span key={line} style={{ bottom: percent(line) }}>
                {formatCount(line)}
              </span>
            ))}
          </div>
          <ul className={styles.columns}>
            {columns.map((column, index) => (
              <li key={column.id} aria-label={sumOf(column) === 0 ? column.label : undefined}>
                {column === highest && <b aria-hidden="true">{formatCount(most)}</b>}
                {sumOf(column) > 0 && (
                  <Link to={{ search: column.to }} aria-label={column.label} title={column.label}>
                    {series
                      .map(({ name, tone }, n) => (
                        <span
                          key={name}
                          data-tone={tone}
                          style={{ height: percent(column.figures[n] ?? 0) }}
                        />
                      ))
                      .toReversed()}
                  </Link>
                )}
                {/* Counted from the last column, so that today always has a label. */}
                <small
                  aria-hidden="true"
                  data-far={(columns.length - index) % 2 === 0 || undefined}
                >
                  {column.tick}
                </small>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ChartFrame>
  );
}

type ChartFrameProps = {
  title: string;
  range?: string | undefined;
  aside?: ReactNode;
  children: ReactNode;
};

/** Renders a chart with its heading, beside a legend or a link. */
export function ChartFrame({ title, range, aside, children }: ChartFrameProps) {
  return (
    <section className={styles.chart} aria-label={title}>
      <div className={styles.head}>
        <h2>
          {title} {range && <small>{range}</small>}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Returns one to three round numbers up to the highest figure: 5 and 10 for 12. */
function listLines(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(most));
  const step = Math.max(
    1,
    [0.5, 1, 2, 5].map((each) => each * power).find((each) => most / each < 4) ?? power,
  );
  return [step, 2 * step, 3 * step].filter((line) => line <= most && Number.isInteger(line));
}
