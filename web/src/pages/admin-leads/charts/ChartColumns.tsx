import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import type { HTMLAttributes } from 'react';
import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import { ChartDrawing } from './ChartDrawing.tsx';
import type { ChartColumn } from './ChartDrawing.tsx';
import { ChartFrame, ChartLegend } from './ChartFrame.tsx';
import type { ChartSeries } from './ChartFrame.tsx';
import styles from './Charts.module.css';

type ChartColumnsProps = {
  title: string;
  /** From bottom to top. */
  series: readonly ChartSeries[];
  columns: readonly ChartColumn[];
};

/** Space above the columns for the highest one's figure, and below them for the labels. */
const TOP = 15;
const BOTTOM = 18;
const WIDEST_STEP = 40;
const DIGIT = 7;

/** Figures over time as stacked columns. Each column has its figures as text for screen readers. */
export function ChartColumns({ title, series, columns }: ChartColumnsProps) {
  const { parentRef, width, height } = useParentSize({ debounceTime: 0 });
  const [shownId, setShownId] = useState<string>();

  const most = Math.max(1, ...columns.map(({ figures }) => figures.reduce((sum, figure) => sum + figure, 0)));
  const foot = Math.max(TOP, height - BOTTOM);
  const yScale = scaleLinear({ domain: [0, most], range: [foot, TOP] });
  // Only whole numbers of leads.
  const lines = yScale.ticks(3).filter((line) => line > 0 && Number.isInteger(line));
  const left = DIGIT * Math.max(...lines.map((line) => formatCount(line).length)) + 10;
  const right = Math.min(width, left + columns.length * WIDEST_STEP);
  const xScale = scaleBand({ domain: columns.map(({ id }) => id), range: [left, right], padding: 0.24 });
  const step = xScale.step();
  return (
    <ChartFrame
      title={title}
      isEmpty={columns.length === 0}
      aside={<ChartLegend series={series} shown={columns.find(({ id }) => id === shownId)} />}
    >
      <div className={styles.plot} ref={parentRef}>
        <ol>
          {columns.map(({ id, label, to }) => {
            const reach = {
              className: styles.reach,
              title: label,
              style: { left: (xScale(id) ?? 0) - (step - xScale.bandwidth()) / 2, width: step, height: foot },
              ...pointing(
                () => setShownId(id),
                () => setShownId(undefined),
              ),
            };
            return (
              <li key={id}>
                {to === undefined ? (
                  <span {...reach}>
                    <span className="visually-hidden">{label}</span>
                  </span>
                ) : (
                  <Link {...reach} to={{ search: to }} aria-label={label} />
                )}
              </li>
            );
          })}
        </ol>
        {width > 0 && <ChartDrawing {...{ series, columns, xScale, yScale, lines, width, height }} />}
      </div>
    </ChartFrame>
  );
}

const pointing = (show: () => void, hide: () => void): HTMLAttributes<HTMLElement> => ({
  onMouseEnter: show,
  onMouseLeave: hide,
  onFocus: show,
  onBlur: hide,
});
