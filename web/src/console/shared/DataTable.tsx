import type { ComponentProps, ReactNode } from 'react';
import styles from './DataTable.module.css';

export type Column<Row> = {
  /** Empty for a column of actions. */
  head: string;
  cell: (row: Row) => ReactNode;
  isFigure?: boolean | undefined;
  width?: string;
  /** On a phone, where each row is a stack: a word before or after the value, */
  label?: string;
  unit?: string;
  /** on a line of its own, or as an amount at the right of the first cell, */
  place?: 'line' | 'amount';
  /** or left out. */
  isNone?: (row: Row) => boolean;
};

type DataTableProps<Row> = {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  rowProps?: (row: Row) => ComponentProps<'tr'>;
  /** False for a table of few figures, which stays a table on a phone. */
  isStacking?: boolean;
  foot?: ReactNode;
};

/** A table that scrolls sideways where it is too wide. On a phone each row is its first cell, with the others below it. */
export function DataTable<Row>({
  name,
  columns,
  rows,
  keyOf,
  rowProps,
  isStacking = true,
  foot,
}: DataTableProps<Row>) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-stacks={isStacking || undefined} aria-label={name}>
        {columns.some(({ width }) => width) && (
          <colgroup>
            {columns.map(({ head, width }) => (
              <col key={head} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {columns.map(({ head, isFigure }) => {
              const Head = head === '' ? 'td' : 'th';
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
        <tbody>
          {rows.map((row, n) => (
            <tr key={keyOf(row, n)} {...rowProps?.(row)}>
              {columns.map((column, index) => toCell(column, row, index === 0))}
            </tr>
          ))}
        </tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
}

function toCell<Row>(column: Column<Row>, row: Row, isFirst: boolean) {
  const { head, cell, isFigure, label, unit, place, isNone } = column;
  const data = {
    'data-figure': isFigure || undefined,
    'data-label': label,
    'data-unit': unit,
    'data-own': place === 'line' || undefined,
    'data-amount': place === 'amount' || undefined,
    'data-none': isNone?.(row) || undefined,
    'data-acts': head === '' || undefined,
  };
  return isFirst ? (
    <th key={head} scope="row" {...data}>
      {cell(row)}
    </th>
  ) : (
    <td key={head} {...data}>
      {cell(row)}
    </td>
  );
}
