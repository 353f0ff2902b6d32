import { describeAnswer } from '@site/schema/beehiiv-answers';
import type { ChartsAnswer } from '@site/schema/calls/charts';
import { Link } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { formatCount } from '../elements/format-count.ts';
import { SectionHead } from '../elements/SectionHead.tsx';
import { Moment } from '../elements/Moment.tsx';
import { toQuery } from '../filters/filter-params.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { CLASS_LABELS } from './chart-labels.ts';

type ErrorTableProps = { classes: ChartsAnswer['classes']; range: string; now: Date };

/** What went wrong at Beehiiv, how often, and with which leads. */
export function ErrorTable({ classes, range, now }: ErrorTableProps) {
  const { linkTo } = useOpenLead();
  return (
    <section aria-labelledby="errors">
      <SectionHead id="errors" title="Errors" aside={range} />
      {classes.length === 0 ? (
        <p>No failed attempts.</p>
      ) : (
        <DataTable
          name="Errors"
          heads={['Cause', 'Count', 'Last seen', 'What happens', 'Leads']}
          widths={['auto', '80px', '14%', '16%', '30%']}
          numbersFrom={1}
          numbersTo={1}
          isStacking
        >
          {classes.map(({ class: kind, cause, count, leads, lastAt, lastLead }) => (
            <tr key={`${kind} ${cause}`}>
              <th scope="row">{describeAnswer(cause) || 'No message'}</th>
              <td data-figure data-unit={count === 1 ? 'time' : 'times'}>
                {formatCount(count)}
              </td>
              <td data-label="last">
                <Moment at={lastAt} now={now} />
              </td>
              <td>{CLASS_LABELS[kind]}</td>
              <td data-own>
                {cause === '' ? (
                  describeLeads(leads)
                ) : (
                  <Link to={{ search: toQuery({ error: cause }) }}>{describeLeads(leads)}</Link>
                )}
                , latest:{' '}
                <Link to={{ search: linkTo(lastLead.id) }}>
                  <bdi>{lastLead.name}</bdi>
                </Link>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

const describeLeads = (count: number) => `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`;
