import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import type { BulkRetry } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { countOf } from '../shared/format.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { Moment } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { toFilterText } from '../lead/filter-labels.ts';
import { toQuery } from '../shared/filter.ts';
import { toDoneText, toEndText, toResultText, StopBulkRetry } from './BulkRetryStrip.tsx';

export function BulkRetries() {
  const { data, failure, reload } = useApiData('GET /api/admin/bulk-retries');
  const runs = data?.bulkRetries;
  return (
    <section aria-labelledby="bulk-retries">
      <SectionHead
        id="bulk-retries"
        title="Bulk retries"
        aside="started in Leads, under Failed or Quarantined"
      />
      <LoadState of="Bulk retries" data={runs} failure={failure} reload={reload} />
      {runs?.length === 0 && <p>No bulk retries yet.</p>}
      {runs && runs.length > 0 && (
        <DataTable name="Bulk retries" rows={runs} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
    </section>
  );
}

const COLUMNS: Column<BulkRetry>[] = [
  {
    head: 'Started',
    width: '13%',
    cell: ({ id, createdAt }) => (
      <Link to={{ search: toQuery({ bulkRetry: id }) }}>
        <Moment at={createdAt} />
      </Link>
    ),
  },
  { head: 'By', width: '10%', label: 'by', cell: (run) => <bdi>{run.operator}</bdi> },
  { head: 'Which', place: 'line', cell: (run) => <bdi>{toChoiceText(run)}</bdi> },
  {
    head: 'Result',
    width: '25%',
    place: 'line',
    cell: (run) =>
      run.failed === 0 ? (
        toResultText(run)
      ) : (
        <Link to={{ search: toQuery({ status: 'failed', bulkRetry: run.id }) }}>
          {toResultText(run)}
        </Link>
      ),
  },
  { head: 'Now', width: '15%', place: 'line', cell: (run) => <Progress run={run} /> },
];

function Progress({ run }: { run: BulkRetry }) {
  if (run.finishedAt !== null) return toEndText(run);
  return (
    <>
      {toDoneText(run)} <StopBulkRetry run={run} />
    </>
  );
}

function toChoiceText({ filter }: BulkRetry): string {
  const { selected, failedInRefusalPause } = filter;
  if (typeof selected === 'number') return countOf(selected, 'selected lead');
  if (failedInRefusalPause === true) return 'Leads rejected in a row';
  return toFilterText({ status: 'failed', ...leadFilterQuery.safeParse(filter).data });
}
