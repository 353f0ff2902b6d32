import type { ReactNode } from 'react';
import styles from './View.module.css';

type ViewTableProps = {
  name: string;
  heads: readonly string[];
  /** All columns but the first hold figures. */
  ofFigures?: boolean;
  /** Its rows. */
  children: ReactNode;
};

/** A table of one of the console's views, which scrolls inside itself where it is too wide. */
export function ViewTable({ name, heads, ofFigures = false, children }: ViewTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={name}>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" data-figure={(ofFigures && index > 0) || undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
