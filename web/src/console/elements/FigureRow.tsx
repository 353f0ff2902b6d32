import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './FigureRow.module.css';

export type Figure = {
  name: string;
  value: string;
  note: ReactNode;
  /** The query of those it is about, if there are any. The whole figure is then a link. */
  to?: string | undefined;
};

/** From here on a figure needs a smaller font to stay in its place. */
const LONG_SIGNS = 9;
/** More figures than this have two rows on a tablet. */
const MAX_OF_A_TABLET = 4;

/** Large figures side by side, each with its name and what it is of. */
export function FigureRow({ name, figures }: { name: string; figures: readonly Figure[] }) {
  const { length } = figures;
  const columns = { '--all': length, '--some': length > MAX_OF_A_TABLET ? Math.ceil(length / 2) : length };
  return (
    <dl
      className={styles.row}
      style={columns as CSSProperties}
      data-odd={length % 2 === 1 || undefined}
      data-many={length > MAX_OF_A_TABLET || undefined}
      aria-label={name}
    >
      {figures.map((figure) => (
        <div key={figure.name}>
          <dt>{figure.to === undefined ? figure.name : <Link to={{ search: figure.to }}>{figure.name}</Link>}</dt>
          <dd className={styles.figure} data-long={figure.value.length > LONG_SIGNS || undefined}>
            {figure.value}
          </dd>
          <dd className={styles.note}>{figure.note}</dd>
        </div>
      ))}
    </dl>
  );
}
