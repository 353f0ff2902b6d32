import { MOST_HOUR_DAYS } from '@site/schema/console';
import type { ChartsAnswer } from '@site/schema/console';
import { Link } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { formatFully, formatMoment } from '../time/london-time.ts';
import { CLASS_LABELS } from './chart-labels.ts';
import styles from './FiguresView.module.css';

type ErrorTableProps = { filter: ListFilter; classes: ChartsAnswer['classes']; now: Date };

/** What went wrong at Beehiiv, how often, and with which leads. */
export function ErrorTable({ filter, classes, now }: ErrorTableProps) {
  return (
    <section aria-labelledby="errors">
      <h2 id="errors" className={styles.heading}>
        Errors{' '}
        <span className={styles.aside}>
          {filter.startDate || filter.endDate ? 'in this range' : `in the last ${MOST_HOUR_DAYS} days`}
        </span>
      </h2>
      {classes.length === 0 ? (
        <p className={styles.quiet}>No failed attempts.</p>
      ) : (
        <DataTable
          name="Errors"
          heads={['Cause', 'What happens', 'Last seen', 'Leads', 'Count']}
          numbersFrom={4}
          isStacking
        >
          {classes.map(({ class: kind, message, count, lastAt, lastLeadId }) => (
            <tr key={`${kind} ${message}`}>
              <th scope="row">{message || 'No message'}</th>
              <td>{CLASS_LABELS[kind]}</td>
              <td>
                <time dateTime={lastAt} title={formatFully(new Date(lastAt))}>
                  {formatMoment(new Date(lastAt), now)}
                </time>
              </td>
              <td>
                {message !== '' && (
                  <>
                    <Link to={{ search: toQuery({ error: message }) }}>Show its leads</Link>,{' '}
                  </>
                )}
                <Link to={{ search: `view=figures&${toQuery(filter)}&lead=${lastLeadId}` }}>the latest</Link>
              </td>
              <td data-figure>
                {formatCount(count)}
                <span className={styles.times}>{count === 1 ? ' time' : ' times'}</span>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
