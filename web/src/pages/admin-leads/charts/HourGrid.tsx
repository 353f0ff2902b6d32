import type { scaleBand } from '@visx/scale';
import type { ChartColumn } from './ChartDrawing.tsx';
import type { ChartSeries } from './ChartFrame.tsx';
import styles from './Charts.module.css';

type HourGridProps = {
  series: readonly ChartSeries[];
  columns: readonly ChartColumn[];
  xScale: ReturnType<typeof scaleBand<string>>;
  top: number;
  foot: number;
  width: number;
  height: number;
};

const TICK_WIDTH = 22;
const TOLD_HOURS = [0, 6, 12, 18];
/** The fewest and the most attempts of an hour differ in shade, in this many steps. */
const SHADES = 4;
/** A single failure among many must still be visible. */
const LEAST = 2;

/**
 * Draws days as columns of 24 hours, midnight at the top. An hour is a bar of its outcomes side by side, darker with
 * more attempts. Failures keep their full tone.
 */
export function HourGrid({ series, columns, xScale, top, foot, width, height }: HourGridProps) {
  const rowHeight = (foot - top) / 24;
  const [left] = xScale.range();
  const sumOf = (cell: readonly number[]) => cell.reduce((sum, figure) => sum + figure, 0);
  const most = Math.max(1, ...columns.flatMap(({ cells = [] }) => cells.map(sumOf)));
  const every = Math.ceil(TICK_WIDTH / xScale.step());
  return (
    <svg className={styles.drawing} width={width} height={height} aria-hidden="true">
      <g className={styles.grid}>
        {[...TOLD_HOURS, 24].map((hour) => (
          <line key={hour} x1={left} x2={width} y1={top + hour * rowHeight} y2={top + hour * rowHeight} />
        ))}
      </g>
      {TOLD_HOURS.map((hour) => (
        <text key={hour} className={styles.tick} x={left - 8} y={top + hour * rowHeight} dy="0.7em" textAnchor="end">
          {String(hour).padStart(2, '0')}
        </text>
      ))}
      {columns.map(({ id, tick, group, cells = [] }, index) => {
        const x = xScale(id) ?? 0;
        const cellWidth = xScale.bandwidth();
        return (
          <g key={id}>
            {cells.map((cell, hour) => {
              const sum = sumOf(cell);
              if (sum === 0) return null;
              const failures = cell.slice(1).map((figure) => share(figure, sum, cellWidth));
              const widths = [Math.max(0, cellWidth - failures.reduce((total, part) => total + part, 0)), ...failures];
              let from = x;
              return widths.map((part, kind) => {
                const at = from;
                from += part;
                return part === 0 ? null : (
                  <rect
                    key={`${hour} ${series[kind]?.tone}`}
                    data-tone={series[kind]?.tone}
                    data-shade={kind === 0 ? Math.ceil(Math.sqrt(sum / most) * SHADES) : SHADES}
                    x={at}
                    y={top + hour * rowHeight + 0.5}
                    width={part}
                    height={Math.max(1, rowHeight - 1)}
                  />
                );
              });
            })}
            {(columns.length - 1 - index) % every === 0 && (
              <text className={styles.tick} x={x + cellWidth / 2} y={foot + 14} textAnchor="middle">
                {tick}
              </text>
            )}
            {group !== undefined && (
              <text className={styles.group} x={x} y={foot + 29}>
                {group}
              </text>
            )}
          </g>
        );
      })}
      <line className={styles.foot} x1={left} x2={width} y1={foot + 0.5} y2={foot + 0.5} />
    </svg>
  );
}

const share = (figure: number, sum: number, width: number) =>
  figure === 0 ? 0 : Math.min(width, Math.max(LEAST, (figure / sum) * width));
