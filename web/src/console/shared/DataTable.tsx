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

type RowsProps<Row> = {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  rowProps?: (row: Row) => ComponentProps<'tr'>;
};

type CellsProps = {
  heads: readonly string[];
  /** The indexes of the first and the last column of numbers. Without a last one, all after the first are numbers. */
  numbersFrom?: number;
  numbersTo?: number;
  widths?: readonly string[];
  isStacking?: boolean;
  children: ReactNode;
};

type DataTableProps<Row> = { name: string; foot?: ReactNode } & (RowsProps<Row> | CellsProps);

/** A table that scrolls sideways where it is too wide. On a phone each row is its first cell, with the others below it. */
export function DataTable<Row>({ name, foot, ...table }: DataTableProps<Row>) {
  const { heads, isStacking } = toHeads(table);
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-stacks={isStacking || undefined} aria-label={name}>
        {heads.some(({ width }) => width) && (
          <colgroup>
            {heads.map(({ head, width }) => (
              <col key={head} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {heads.map(({ head, isFigure }) => {
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
          {'columns' in table
            ? table.rows.map((row) => (
                <tr key={table.keyOf(row)} {...table.rowProps?.(row)}>
                  {table.columns.map((column, index) => toCell(column, row, index === 0))}
                </tr>
              ))
            : table.children}
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

type Head = { head: string; width?: string | undefined; isFigure?: boolean | undefined };

function toHeads<Row>(table: RowsProps<Row> | CellsProps): {
  heads: readonly Head[];
  isStacking: boolean;
} {
  if ('columns' in table) return { heads: table.columns, isStacking: true };
  const { heads, widths, numbersFrom = Infinity, numbersTo = Infinity } = table;
  return {
    heads: heads.map((head, index) => ({
      head,
      width: widths?.[index],
      isFigure: index >= numbersFrom && index <= numbersTo,
    })),
    isStacking: table.isStacking ?? numbersFrom === Infinity,
  };
}
