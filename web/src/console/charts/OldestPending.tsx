import type { ChartsAnswer } from '@site/schema/calls/charts';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { SectionHead } from '../elements/SectionHead.tsx';
import { Moment } from '../elements/Moment.tsx';
import { toQuery } from '../filters/filter-params.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { formatDuration } from '../time/london-time.ts';

/** The leads that have waited for Beehiiv the longest, of all dates and forms. */
export function OldestPending({ leads, now }: { leads: ChartsAnswer['oldestPending']; now: Date }) {
  // As far as the strip at the top of the console knows.
  const { data } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  const total = Math.max(leads.length, data?.pending ?? 0);
  const { linkTo } = useOpenLead();
  return (
    <section aria-labelledby="oldest-pending">
      <SectionHead
        id="oldest-pending"
        title="Oldest pending leads"
        aside={leads.length > 0 && `${formatCount(leads.length)} of ${formatCount(total)}, all dates`}
      >
        {total > leads.length && <Link to={{ search: toQuery({ status: 'pending' }) }}>Show all pending leads</Link>}
      </SectionHead>
      {leads.length === 0 ? (
        <p>Nothing is waiting.</p>
      ) : (
        <DataTable
          name="Oldest pending leads"
          heads={['Lead', 'Saved', 'Waiting for']}
          widths={['auto', '20%', '20%']}
          isStacking
        >
          {leads.map(({ id, email, submittedAt }) => (
            <tr key={id}>
              <th scope="row">
                <Link to={{ search: linkTo(id) }}>{email}</Link>
              </th>
              <td data-label="Saved">
                <Moment at={submittedAt} now={now} />
              </td>
              <td data-label="waiting for">{formatDuration(now.getTime() - Date.parse(submittedAt))}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
