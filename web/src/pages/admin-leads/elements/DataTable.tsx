import type { ReactNode } from 'react';
import styles from './DataTable.module.css';

type DataTableProps = {
  name: string;
  heads: readonly string[];
  /** The index of the first column of numbers. All columns after it are numbers too. */
  numbersFrom?: number;
  /** The width of each column. Without them, columns share the width by their content. */
  widths?: readonly string[];
  /** On a phone each row is a block of lines. By default, a table without numbers. */
  isStacking?: boolean;
  /** The rows. */
  children: ReactNode;
  foot?: ReactNode;
};

/** A table that scrolls sideways where it is too wide. */
export function DataTable({
  name,
  heads,
  numbersFrom = Infinity,
  widths,
  isStacking = numbersFrom === Infinity,
  children,
  foot,
}: DataTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-stacks={isStacking || undefined} aria-label={name}>
        {widths && (
          <colgroup>
            {heads.map((head, index) => (
              <col key={head} style={{ width: widths[index] }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" data-figure={index >= numbersFrom || undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}
