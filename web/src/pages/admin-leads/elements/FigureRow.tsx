import type { ReactNode } from 'react';
import styles from './FigureRow.module.css';

type FigureRowProps = { name: string; figures: readonly { name: string; value: ReactNode; note: string }[] };

/** Large figures side by side, each with its name and what it is of. */
export function FigureRow({ name, figures }: FigureRowProps) {
  return (
    <dl className={styles.row} aria-label={name}>
      {figures.map((figure) => (
        <div key={figure.name}>
          <dt>{figure.name}</dt>
          <dd className={styles.figure}>{figure.value}</dd>
          <dd className={styles.note}>{figure.note}</dd>
        </div>
      ))}
    </dl>
  );
}
