import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './FigureRow.module.css';

export type Figure = {
  name: string;
  value: string;
  note: ReactNode;
  /** The query of those it is about. The whole figure is then a link. */
  to?: string | undefined;
  /** There is none of it. */
  isNone?: boolean;
};

/** From here on a figure needs a smaller font to stay in its place. */
const LONG_SIGNS = 9;

/** Large figures side by side, each with its name and what it is of. */
export function FigureRow({ name, figures }: { name: string; figures: readonly Figure[] }) {
  return (
    <dl className={styles.row} aria-label={name}>
      {figures.map((figure) => (
        <div key={figure.name} data-none={figure.isNone || undefined}>
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
