import { useParentSize } from '@visx/responsive';
import { scaleBand, scaleLinear } from '@visx/scale';
import { useState } from 'react';
import type { HTMLAttributes, KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import { ChartDrawing } from './ChartDrawing.tsx';
import type { ChartColumn } from './ChartDrawing.tsx';
import { ChartFrame, ChartLegend, ChartTip } from './ChartFrame.tsx';
import type { ChartSeries } from './ChartFrame.tsx';
import styles from './Charts.module.css';

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
/** A second line of labels. */
const GROUPS = 15;
const WIDEST_BAR = 48;
const DIGIT = 7;

/**
 * Figures over time as stacked columns. Each column has its figures as text for screen readers. All columns are one
 * stop of the Tab key, in which the arrow keys move.
 */
export function ChartColumns({ title, range, isEmpty, empty, series, columns }: ChartColumnsProps) {
  const { parentRef, width, height } = useParentSize({ debounceTime: 0 });
  const [shownId, setShownId] = useState<string>();
  const [stopId, setStopId] = useState<string>();

  const most = Math.max(1, ...columns.map(({ figures }) => figures.reduce((sum, figure) => sum + figure, 0)));
  const hasGroups = columns.some(({ group }) => group !== undefined);
  const foot = Math.max(TOP, height - BOTTOM - (hasGroups ? GROUPS : 0));
  const yScale = scaleLinear({ domain: [0, most], range: [foot, TOP] });
  // Only whole numbers of leads.
  const lines = yScale.ticks(3).filter((line) => line > 0 && Number.isInteger(line));
  const left = DIGIT * Math.max(...lines.map((line) => formatCount(line).length)) + 10;
  const xScale = scaleBand({ domain: columns.map(({ id }) => id), range: [left, width], padding: 0.24 });
  const step = xScale.step();
  const barWidth = Math.min(WIDEST_BAR, xScale.bandwidth());
  // The last column is the newest, where reading begins.
  const stop = columns.find(({ id }) => id === stopId) ?? columns.at(-1);
  const shown = columns.find(({ id }) => id === shownId);
  const reachOf = (id: string) => {
    const from = (xScale(id) ?? 0) - (step - xScale.bandwidth()) / 2;
    return { from: from / Math.max(1, width), to: (from + step) / Math.max(1, width) };
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const target = findTarget(event.key, columns.length, stop ? columns.indexOf(stop) : 0);
    if (target === undefined) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll<HTMLElement>('[data-column]')[target]?.focus();
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
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves between the links inside */}
        <ol onKeyDown={move}>
          {columns.map(({ id, label, to }) => {
            const reach = {
              className: styles.reach,
              'data-column': '',
              style: { left: (xScale(id) ?? 0) - (step - xScale.bandwidth()) / 2, width: step, height: foot },
              ...pointing(
                () => {
                  setShownId(id);
                  setStopId(id);
                },
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
                  <Link
                    {...reach}
                    to={{ search: to }}
                    aria-label={label}
                    tabIndex={id === stop?.id ? 0 : -1}
                    // The link keeps the focus, and its tip would cover what was chosen.
                    onClick={() => setShownId(undefined)}
                  />
                )}
              </li>
            );
          })}
        </ol>
        {width > 0 && <ChartDrawing {...{ series, columns, xScale, yScale, barWidth, lines, width, height }} />}
        {shown && <ChartTip series={series} column={shown} {...reachOf(shown.id)} />}
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
