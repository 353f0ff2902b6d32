import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { OrderIcon } from './console-icons.tsx';
import { TickBox } from './TickBox.tsx';
import styles from './DataTable.module.css';

export type Column<Row> = {
  /** Empty for a column of actions. */
  head: string;
  cell: (row: Row) => ReactNode;
  isFigure?: boolean | undefined;
  width?: string;
  /** The rows' order, which the link in the head reverses. */
  sort?: {
    /** Undefined for an order by another column. */
    isAscending: boolean | undefined;
    search: string;
    state?: unknown;
    title?: string;
  };
  /** On a phone, where each row is a stack: a word before the value. */
  label?: string;
  /** On a phone: a separate line, or an amount to the right of the first cell. */
  place?: 'line' | 'amount';
  /** On a phone: leaves the value out. */
  isNone?: (row: Row) => boolean;
};

const SORTS = { true: 'ascending', false: 'descending', undefined: 'none' } as const;

/** The selected rows. Each row has a box, and the head has one for all. */
export type RowSelection<Row> = {
  isAll: boolean;
  isMixed: boolean;
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  toggleAll: () => void;
  nameOf: (row: Row) => string;
};

type DataTableProps<Row> = Pick<ComponentProps<'table'>, 'id' | 'tabIndex' | 'aria-busy'> & {
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row, index: number) => string;
  rowProps?: (row: Row) => ComponentProps<'tr'>;
  /** False for a table of few figures, which stays a table on a phone. */
  isStacking?: boolean;
  selection?: RowSelection<Row> | undefined;
  foot?: ReactNode;
};

/**
 * Renders a table that scrolls sideways if it is too wide. On a phone each row is a stack below its
 * first cell.
 */
export function DataTable<Row>({
  name,
  columns,
  rows,
  keyOf,
  rowProps,
  isStacking = true,
  selection,
  foot,
  ...table
}: DataTableProps<Row>) {
  return (
    <div className={styles.scroll}>
      <table
        {...table}
        className={styles.table}
        data-stacks={isStacking || undefined}
        data-selects={selection ? true : undefined}
        aria-label={name}
      >
        {columns.some(({ width }) => width) && (
          <colgroup>
            {selection && <col data-tick />}
            {columns.map(({ head, width }) => (
              <col key={head} style={{ width }} />
            ))}
          </colgroup>
        )}
        <thead>
          <tr>
            {selection && (
              <td data-tick>
                <TickBox
                  label="Select all shown"
                  isTicked={selection.isAll}
                  isMixed={selection.isMixed}
                  onToggle={selection.toggleAll}
                />
              </td>
            )}
            {columns.map(({ head, isFigure, sort }) => {
              const Head = head === '' ? 'td' : 'th';
              return (
                <Head
                  key={head}
                  scope={head === '' ? undefined : 'col'}
                  data-figure={isFigure || undefined}
                  aria-sort={sort && SORTS[`${sort.isAscending}`]}
                >
                  {sort ? (
                    <Link to={{ search: sort.search }} state={sort.state} title={sort.title}>
                      {head}
                      {sort.isAscending !== undefined && <OrderIcon isUp={sort.isAscending} />}
                    </Link>
                  ) : (
                    head
                  )}
                </Head>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr
              key={keyOf(row, n)}
              {...rowProps?.(row)}
              data-ticked={selection?.has(row) || undefined}
            >
              {selection && (
                <td data-tick>
                  <TickBox
                    label={`Select ${selection.nameOf(row)}`}
                    isTicked={selection.has(row)}
                    onToggle={() => selection.toggle(row)}
                  />
                </td>
              )}
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
  const { head, cell, isFigure, label, place, isNone } = column;
  const data = {
    'data-figure': isFigure || undefined,
    'data-label': label,
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
