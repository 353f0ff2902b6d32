import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { formatCount } from './format-count.ts';
import { ChartFrame, ChartLegend, ChartTip } from './ChartFrame.tsx';
import type { ChartSeries } from './ChartFrame.tsx';
import styles from './Charts.module.css';
import { textScale } from './text-scale.ts';

type ChartColumn = {
  id: string;
  /** The short label below it. */
  tick: string;
  name: string;
  label: string;
  /** In the order of the series. */
  figures: readonly number[];
  to: string;
};

type ChartColumnsProps = {
  title: string;
  range?: string;
  isEmpty: boolean;
  empty?: string;
  /** From bottom to top. */
  series: readonly ChartSeries[];
  columns: readonly ChartColumn[];
};

/** Space above the columns for the highest one's figure, and below them for the labels. */
const TOP = 15;
const BOTTOM = 18;
const WIDEST_BAR = 48;
const DIGIT = 7;
const TICK_WIDTH = 28;
/** Between the parts of a column, so that they can be told apart without colour. */
const GAP = 1;

const sumOf = ({ figures }: ChartColumn) => figures.reduce((sum, figure) => sum + figure, 0);

/**
 * Figures over time as stacked columns. Each column is a link with its figures as text for screen readers, unless they
 * are zero. All links are one stop of the Tab key, in which the arrow keys move.
 */
export function ChartColumns({ title, range, isEmpty, empty, series, columns }: ChartColumnsProps) {
  const { parentRef, ...size } = useParentSize({ debounceTime: 0 });
  const scale = textScale();
  const [width, height] = [size.width / scale, size.height / scale];
  const [shownId, setShownId] = useState<string>();
  const [stopId, setStopId] = useState<string>();

  const most = Math.max(0, ...columns.map(sumOf));
  const foot = Math.max(TOP, height - BOTTOM);
  const yScale = scaleLinear({ domain: [0, Math.max(1, most)], range: [foot, TOP] });
  // Only whole numbers of leads.
  const lines = yScale.ticks(3).filter((line) => line > 0 && Number.isInteger(line));
  const left = DIGIT * Math.max(...lines.map((line) => formatCount(line).length)) + 10;
  const xScale = scaleBand({
    domain: columns.map(({ id }) => id),
    range: [left, width],
    padding: 0.24,
  });
  const step = xScale.step();
  const barWidth = Math.min(WIDEST_BAR, xScale.bandwidth());
  const middleOf = (id: string) => (xScale(id) ?? 0) + xScale.bandwidth() / 2;
  const highest = columns.find((column) => most > 0 && sumOf(column) === most);
  const every = Math.ceil(TICK_WIDTH / step);
  // Counted from the last column, so that today always has a label, as the first has.
  const ticks = columns.filter(
    (_, index) => index === 0 || (index >= every && (columns.length - 1 - index) % every === 0),
  );
  const linked = columns.filter((column) => sumOf(column) > 0);
  // The last column is the newest, where reading begins.
  const stop = linked.find(({ id }) => id === stopId) ?? linked.at(-1);
  const shown = columns.find(({ id }) => id === shownId);
  const shareOf = (x: number) => x / Math.max(1, width);

  const drawColumn = (column: ChartColumn) => {
    const { id, figures, label, to } = column;
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no lists
    if (!linked.includes(column)) return <g key={id} role="listitem" aria-label={label} />;
    const show = () => {
      setShownId(id);
      setStopId(id);
    };
    const hide = () => setShownId(undefined);
    return (
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no lists
      <g key={id} role="listitem">
        <Link
          data-column=""
          to={{ search: to }}
          aria-label={label}
          tabIndex={id === stop?.id ? 0 : -1}
          onMouseEnter={show}
          onMouseLeave={hide}
          onFocus={show}
          onBlur={hide}
          // The link keeps the focus, and its tip would cover what was chosen.
          onClick={hide}
        >
          <rect className={styles.reach} x={middleOf(id) - step / 2} width={step} height={foot} />
          {figures.map((figure, index) => {
            const below = figures.slice(0, index).reduce((sum, each) => sum + each, 0);
            const size = yScale(below) - yScale(below + figure);
            return figure === 0 ? null : (
              <rect
                key={series[index]?.name}
                data-tone={series[index]?.tone}
                x={middleOf(id) - barWidth / 2}
                y={yScale(below + figure)}
                width={barWidth}
                // A single lead among many must still be visible.
                height={Math.max(1, below > 0 ? size - GAP : size)}
              />
            );
          })}
        </Link>
      </g>
    );
  };
  const move = (event: KeyboardEvent<SVGElement>) => {
    const target = findTarget(event.key, linked.length, stop ? linked.indexOf(stop) : 0);
    if (target === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<SVGElement>('[data-column]')[target]?.focus();
  };
  return (
    <ChartFrame
      title={title}
      range={range}
      isEmpty={isEmpty || columns.length === 0}
      empty={empty}
      aside={<ChartLegend series={series} />}
    >
      <div className={styles.plot} ref={parentRef}>
        {width > left && (
          <svg
            className={styles.drawing}
            width={size.width}
            height={size.height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <g aria-hidden="true">
              {lines.map((line) => (
                <g key={line}>
                  <line
                    className={styles.line}
                    x1={left}
                    x2={width}
                    y1={yScale(line)}
                    y2={yScale(line)}
                  />
                  <text
                    className={styles.tick}
                    x={left - 8}
                    y={yScale(line)}
                    dy="0.34em"
                    textAnchor="end"
                  >
                    {formatCount(line)}
                  </text>
                </g>
              ))}
            </g>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- moves between the links inside; SVG has no lists */}
            <g role="list" onKeyDown={move}>
              {columns.map(drawColumn)}
            </g>
            <g className={styles.labels} aria-hidden="true">
              {ticks.map(({ id, name, tick }, index) => (
                <text
                  key={id}
                  className={styles.tick}
                  x={middleOf(id)}
                  y={foot + 14}
                  textAnchor="middle"
                >
                  {index === 0 ? name : tick}
                </text>
              ))}
              {highest && (
                <text
                  className={styles.sum}
                  x={middleOf(highest.id)}
                  y={yScale(most) - 4}
                  textAnchor="middle"
                >
                  {formatCount(most)}
                </text>
              )}
              <line className={styles.foot} x1={left} x2={width} y1={foot + 0.5} y2={foot + 0.5} />
            </g>
          </svg>
        )}
        {shown && (
          <ChartTip
            series={series}
            column={shown}
            from={shareOf(middleOf(shown.id) - step / 2)}
            to={shareOf(middleOf(shown.id) + step / 2)}
          />
        )}
      </div>
    </ChartFrame>
  );
}

/** Returns the column that a key moves to, if it is one of those that move. */
function findTarget(key: string, count: number, from: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(count - 1, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
