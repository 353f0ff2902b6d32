import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { OrderIcon } from '../shared/console-icons.tsx';
import { toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { LIST_ID } from '../shared/page-content.ts';
import type { LeadRows } from './lead-rows.ts';
import { LeadRow } from './LeadRow.tsx';
import styles from './LeadTable.module.css';
import { Skeleton } from '../shared/Skeleton.tsx';
import { TickBox } from './TickBox.tsx';

type LeadTableProps = { rows: LeadRows; filter: ListFilter; instead: ReactNode };

/** One row of two lines for each lead. */
export function LeadTable({ rows, filter, instead }: LeadTableProps) {
  const isOldestFirst = filter.sort === 'oldest';
  return (
    <table
      id={LIST_ID}
      tabIndex={-1}
      className={styles.table}
      aria-label="Leads"
      aria-busy={rows.isLoading}
    >
      <thead>
        <tr>
          <th className={styles.tick}>
            <TickBox
              label="Select all shown"
              isTicked={rows.selection.isAll}
              isMixed={rows.selection.isMixed}
              onToggle={rows.selection.toggleAll}
            />
          </th>
          <th scope="col" className={styles.contact}>
            Contact
          </th>
          <th scope="col" className={styles.formType}>
            Form Type
          </th>
          <th scope="col" className={styles.source}>
            Source
          </th>
          <th scope="col" className={styles.location}>
            Location
          </th>
          <th scope="col" className={styles.beehiiv}>
            Beehiiv
          </th>
          <th
            scope="col"
            className={styles.date}
            aria-sort={isOldestFirst ? 'ascending' : 'descending'}
          >
            <Link
              className={styles.order}
              to={{ search: toQuery({ ...filter, sort: isOldestFirst ? 'newest' : 'oldest' }) }}
              title={
                isOldestFirst
                  ? 'Oldest first; show newest first'
                  : 'Newest first; show oldest first'
              }
            >
              Date
              <OrderIcon isUp={isOldestFirst} />
            </Link>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.isLoading && (
          <tr>
            <td colSpan={7}>
              <Skeleton rows={10} />
            </td>
          </tr>
        )}
        {instead && (
          <tr className={styles.instead}>
            <td colSpan={7}>{instead}</td>
          </tr>
        )}
        {rows.leads.map((lead) => (
          <LeadRow key={lead.id} lead={lead} rows={rows} />
        ))}
      </tbody>
    </table>
  );
}
