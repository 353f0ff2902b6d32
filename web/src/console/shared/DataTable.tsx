import type { ReactNode } from 'react';
import styles from './DataTable.module.css';

type DataTableProps = {
  name: string;
  heads: readonly string[];
  /** The indexes of the first and the last column of numbers. Without a last one, all after the first are numbers. */
  numbersFrom?: number;
  numbersTo?: number;
  /** The width of each column. Without them, columns share the width by their content. */
  widths?: readonly string[];
  /**
   * On a phone each row is its first cell, and below it the others in one line, with their `data-label` and `data-unit`.
   * A cell with `data-own` has a line of its own, the one with `data-amount` stands at the right of the first cell, and one
   * with `data-none` is left out. By default, a table without numbers. On paper, a column of `data-acts` is left out.
   */
  isStacking?: boolean;
  children: ReactNode;
  foot?: ReactNode;
};

/** A table that scrolls sideways where it is too wide. */
export function DataTable({
  name,
  heads,
  numbersFrom = Infinity,
  numbersTo = Infinity,
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
            {heads.map((head, index) => {
              const Head = head === '' ? 'td' : 'th';
              const isFigure = index >= numbersFrom && index <= numbersTo;
              return (
                <Head
                  key={head}
                  scope={head === '' ? undefined : 'col'}
                  data-figure={isFigure || undefined}
                >
                  {head}
                </Head>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}
