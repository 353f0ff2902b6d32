import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import type { RetryRun } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { countOf, formatCount } from '../shared/format.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { Moment } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { describeFilter } from '../lead/filter-labels.ts';
import { isNarrowed, toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { countDone, describeEnd, describeRest, isOfQuarantine, StopRun } from './RunStrip.tsx';

export function BulkRetries() {
  const { data, fault, reload } = useApiData('GET /api/admin/retry-runs');
  const runs = data?.runs;
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
        <DataTable name="Bulk retries" rows={runs} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
    </section>
  );
}

const COLUMNS: Column<RetryRun>[] = [
  {
    head: 'Started',
    width: '13%',
    cell: ({ id, createdAt }) => (
      <Link to={{ search: toQuery({ retryRun: id }) }}>
        <Moment at={createdAt} />
      </Link>
    ),
  },
  { head: 'By', width: '10%', label: 'by', cell: (run) => <bdi>{run.operator}</bdi> },
  { head: 'Which', place: 'line', cell: (run) => <bdi>{describeChoice(run)}</bdi> },
  {
    head: 'Tried',
    width: '60px',
    isFigure: true,
    unit: 'tried',
    cell: ({ sent, failed }) => formatCount(sent + failed),
  },
  {
    head: 'Sent',
    width: '56px',
    isFigure: true,
    unit: 'sent',
    cell: ({ sent }) => formatCount(sent),
  },
  {
    head: 'Not sent',
    width: '16%',
    place: 'line',
    isNone: (run) => describeRest(run) === '',
    cell: (run) => <Rest run={run} />,
  },
  { head: 'Now', width: '15%', place: 'line', cell: (run) => <Progress run={run} /> },
];

function Progress({ run }: { run: RetryRun }) {
  if (run.finishedAt !== null) return describeEnd(run);
  return (
    <>
      {formatCount(countDone(run))} of {formatCount(run.total)} <StopRun run={run} />
    </>
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
