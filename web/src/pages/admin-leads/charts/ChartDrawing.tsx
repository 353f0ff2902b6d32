import { AxisBottom, AxisLeft } from '@visx/axis';
import type { TickRendererProps } from '@visx/axis';
import { GridRows } from '@visx/grid';
import type { scaleBand, scaleLinear } from '@visx/scale';
import { BarStack } from '@visx/shape';
import { formatCount } from '../elements/format-count.ts';
import type { ChartSeries } from './ChartFrame.tsx';
import styles from './Charts.module.css';

export type ChartColumn = {
  id: string;
  /** The short label below it, if it has one. */
  tick?: string;
  /** A label on a second line, for this column and those after it: a month. */
  group?: string;
  name: string;
  /** The whole column as text. */
  label: string;
  /** In the order of the series. */
  figures: readonly number[];
  /** The query of its leads, if they can be listed. */
  to?: string;
};

type ChartDrawingProps = {
  series: readonly ChartSeries[];
  columns: readonly ChartColumn[];
  xScale: ReturnType<typeof scaleBand<string>>;
  yScale: ReturnType<typeof scaleLinear<number>>;
  barWidth: number;
  /** The figures with a grid line. */
  lines: number[];
  width: number;
  height: number;
};

const TICK_WIDTH = 19;
/** Between the parts of a column, so that they can be told apart without colour. */
const GAP = 1;

/** Draws the columns and axes. The links and texts for screen readers are separate elements. */
export function ChartDrawing({ series, columns, xScale, yScale, barWidth, lines, width, height }: ChartDrawingProps) {
  const [left] = xScale.range();
  const foot = yScale(0);
  const sums = columns.map(({ figures }) => figures.reduce((sum, figure) => sum + figure, 0));
  const most = Math.max(...sums);
  const highest = columns[sums.indexOf(most)];
  const named = columns.filter(({ tick }) => tick !== undefined);
  const every = Math.ceil((TICK_WIDTH / xScale.step()) * (named.length / columns.length));
  // Counted from the last column, so that today always has a label.
  const told = named.filter((_, index) => (named.length - 1 - index) % every === 0);
  const ticks = new Map(told.map(({ id, tick }) => [id, tick]));
  const leftOf = (id: string) => (xScale(id) ?? 0) + (xScale.bandwidth() - barWidth) / 2;
  return (
    <svg className={styles.drawing} width={width} height={height} aria-hidden="true">
      <g className={styles.grid}>
        <GridRows scale={yScale} left={left} width={width - left} tickValues={lines} />
      </g>
      <AxisLeft
        scale={yScale}
        left={left - 8}
        tickValues={lines}
        tickLength={0}
        tickFormat={(line) => formatCount(line.valueOf())}
        tickComponent={lineTick}
        hideAxisLine
        hideTicks
      />
      <AxisBottom
        scale={xScale}
        top={foot}
        tickValues={[...ticks.keys()]}
        tickFormat={(id) => ticks.get(id)}
        tickComponent={columnTick}
        hideAxisLine
        hideTicks
      />
      {columns.map(({ id, group }) =>
        group === undefined ? null : (
          <text key={id} className={styles.group} x={leftOf(id)} y={foot + 29}>
            {group}
          </text>
        ),
      )}
      <BarStack
        data={[...columns]}
        keys={series.map((_, index) => index)}
        value={({ figures }, index) => figures[index] ?? 0}
        x={({ id }) => id}
        xScale={xScale}
        yScale={yScale}
        color={(index) => series[index]?.tone ?? ''}
      >
        {(stacks) =>
          stacks.flatMap(({ key, bars }) =>
            bars
              .filter((bar) => bar.height > 0)
              .map(({ index, color, y, height: barHeight, bar }) => (
                <rect
                  key={`${key} ${index}`}
                  data-tone={color}
                  x={leftOf(columns[index]?.id ?? '')}
                  y={y}
                  width={barWidth}
                  // A single lead among many must still be visible.
                  height={Math.max(1, bar[0] > 0 ? barHeight - GAP : barHeight)}
                />
              )),
          )
        }
      </BarStack>
      {highest && most > 0 && (
        <text
          className={styles.sum}
          x={(xScale(highest.id) ?? 0) + xScale.bandwidth() / 2}
          y={yScale(most) - 4}
          textAnchor="middle"
        >
          {formatCount(most)}
        </text>
      )}
      <line className={styles.foot} x1={left} x2={width} y1={foot + 0.5} y2={foot + 0.5} />
    </svg>
  );
}

function lineTick({ y, formattedValue }: TickRendererProps) {
  return (
    <text className={styles.tick} y={y} dy="0.34em" textAnchor="end">
      {formattedValue}
    </text>
  );
}

function columnTick({ x, formattedValue }: TickRendererProps) {
  return (
    <text className={styles.tick} x={x} y={14} textAnchor="middle">
      {formattedValue}
    </text>
  );
}
