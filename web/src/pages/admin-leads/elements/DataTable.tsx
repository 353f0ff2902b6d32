import type { ReactNode } from 'react';
import styles from './DataTable.module.css';

type DataTableProps = {
  name: string;
  heads: readonly string[];
  /** All columns but the first are numbers. */
  isNumeric?: boolean;
  /** The rows. */
  children: ReactNode;
};

/** A table that scrolls sideways where it is too wide. */
export function DataTable({ name, heads, isNumeric = false, children }: DataTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} aria-label={name}>
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" data-figure={(isNumeric && index > 0) || undefined}>
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
