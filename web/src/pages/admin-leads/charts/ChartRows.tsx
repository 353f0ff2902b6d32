import { scaleBand, scaleLinear } from '@visx/scale';
import { BarStackHorizontal } from '@visx/shape';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ChartFrame } from './ChartFrame.tsx';
import type { ChartTone } from './ChartFrame.tsx';
import styles from './Charts.module.css';

export type ChartRow = {
  id: string;
  name: string;
  figures: readonly number[];
  /** The formatted total. */
  sum: string;
  to?: string;
};

type ChartRowsProps = {
  title: string;
  aside?: ReactNode;
  tones: readonly ChartTone[];
  rows: readonly ChartRow[];
  /** What the figures leave out. */
  note?: string;
  empty?: string;
};

const BAR_HEIGHT = 12;
const oneBar = scaleBand({ domain: ['bar'], range: [0, BAR_HEIGHT] });

/** Figures by name as horizontal bars, each a link to its leads. */
export function ChartRows({ title, aside, tones, rows, note, empty }: ChartRowsProps) {
  const most = Math.max(1, ...rows.map(({ figures }) => figures.reduce((sum, figure) => sum + figure, 0)));
  // In per cent of the width, so that nothing has to be measured.
  const share = scaleLinear({ domain: [0, most], range: [0, 100] });
  return (
    <ChartFrame title={title} aside={aside} isEmpty={rows.length === 0} empty={empty}>
      <ul className={styles.rows}>
        {rows.map(({ id, name, figures, sum, to }) => {
          const content = (
            <>
              <bdi className={styles.name}>{name}</bdi>
              <svg className={styles.track} height={BAR_HEIGHT} aria-hidden="true">
                <BarStackHorizontal
                  data={[figures]}
                  keys={tones.map((_, index) => index)}
                  value={(all, index) => all[index] ?? 0}
                  y={() => 'bar'}
                  xScale={share}
                  yScale={oneBar}
                  color={(index) => tones[index] ?? ''}
                >
                  {(stacks) =>
                    stacks.flatMap(({ bars }) =>
                      bars.map(({ key, x, width, color }) => (
                        <rect key={key} data-tone={color} x={`${x}%`} width={`${width}%`} height={BAR_HEIGHT} />
                      )),
                    )
                  }
                </BarStackHorizontal>
              </svg>
              <span className={styles.figure}>{sum}</span>
            </>
          );
          return (
            <li key={id}>
              {to === undefined ? (
                <span className={styles.row}>{content}</span>
              ) : (
                <Link className={styles.row} to={{ search: to }} title={`Show ${name}`}>
                  {content}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {note && <p className={styles.note}>{note}</p>}
    </ChartFrame>
  );
}
