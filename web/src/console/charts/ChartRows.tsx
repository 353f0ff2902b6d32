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
  note?: string | undefined;
  empty?: string;
};

const BAR_HEIGHT = 12;
const sumOf = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0);

/** Figures by name as horizontal bars, each a link to its leads. */
export function ChartRows({ title, aside, tones, rows, note, empty }: ChartRowsProps) {
  const most = Math.max(1, ...rows.map(({ figures }) => sumOf(figures)));
  // In per cent of the width, so that nothing has to be measured.
  const share = (figure: number) => `${(100 * figure) / most}%`;
  return (
    <ChartFrame title={title} aside={aside} isEmpty={rows.length === 0} empty={empty}>
      <ul className={styles.rows}>
        {rows.map(({ id, name, figures, sum, to }) => {
          const content = (
            <>
              <bdi className={styles.name}>{name}</bdi>
              <svg className={styles.track} height={BAR_HEIGHT} aria-hidden="true">
                {figures.map((figure, index) => (
                  <rect
                    key={tones[index]}
                    data-tone={tones[index]}
                    x={share(sumOf(figures.slice(0, index)))}
                    width={share(figure)}
                    height={BAR_HEIGHT}
                  />
                ))}
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
