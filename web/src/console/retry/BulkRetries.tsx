import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import type { RetryRun } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { DataTable } from '../shared/DataTable.tsx';
import { countOf, formatCount } from '../shared/format-count.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { Moment } from '../shared/Moment.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { describeFilter } from '../lead/filter-labels.ts';
import { isNarrowed, toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { useNow } from '../shared/use-now.ts';
import { countDone, describeEnd, describeRest, isOfQuarantine, StopRun } from './RunStrip.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

export function BulkRetries() {
  const { runs, fault, reload } = useRetryRuns();
  const now = useNow(false);
  return (
    <section aria-labelledby="bulk-retries">
      <SectionHead
        id="bulk-retries"
        title="Bulk retries"
        aside="started in Leads, under Failed or Quarantined"
      />
      <LoadState of="Bulk retries" data={runs} fault={fault} reload={reload} />
      {runs?.length === 0 && <p>No bulk retries yet.</p>}
      {runs && runs.length > 0 && (
        <DataTable
          name="Bulk retries"
          heads={['Started', 'By', 'Which', 'Tried', 'Sent', 'Not sent', 'Now']}
          widths={['13%', '10%', 'auto', '60px', '56px', '16%', '15%']}
          numbersFrom={3}
          numbersTo={4}
          isStacking
        >
          {runs.map((run) => (
            <tr key={run.id}>
              <td>
                <Link to={{ search: toQuery({ retryRun: run.id }) }}>
                  <Moment at={run.createdAt} now={now} />
                </Link>
              </td>
              <td data-label="by">
                <bdi>{run.operator}</bdi>
              </td>
              <td data-own>
                <bdi>{describeChoice(run)}</bdi>
              </td>
              <td data-figure data-unit="tried">
                {formatCount(run.sent + run.failed)}
              </td>
              <td data-figure data-unit="sent">
                {formatCount(run.sent)}
              </td>
              <td data-own data-none={describeRest(run) === '' || undefined}>
                <Rest run={run} />
              </td>
              <td data-own>
                {run.finishedAt === null ? (
                  <>
                    {formatCount(countDone(run))} of {formatCount(run.total)} <StopRun run={run} />
                  </>
                ) : (
                  describeEnd(run)
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

/** What became of the leads that were not sent, with a link to those that failed again. */
function Rest({ run }: { run: RetryRun }) {
  const rest = describeRest(run) || '–';
  if (run.failed === 0) return rest;
  return <Link to={{ search: toQuery({ status: 'failed', retryRun: run.id }) }}>{rest}</Link>;
}

function describeChoice(run: RetryRun): string {
  const { filter } = run;
  const leads: ListFilter = leadFilterQuery.safeParse(filter).data ?? {};
  const parts = [
    typeof filter['selected'] === 'number' && countOf(filter['selected'], 'selected lead'),
    filter['failedInRefusalPause'] === true && 'Leads rejected in a row',
    filter['selected'] === undefined && isNarrowed(leads) && describeFilter(leads),
  ];
  const which = parts.filter(Boolean).join(', ') || 'All failed leads';
  const isNamed = filter['selected'] !== undefined || isOfQuarantine(run);
  const also = [
    filter['withQuarantined'] === true && !isNamed && 'with quarantined',
    filter['withoutInvalid'] === true && 'without invalid addresses',
  ];
  return [which, ...also].filter(Boolean).join(', ');
}
