import { leadFilterQuery } from '@site/schema/admin';
import type { RetryRun } from '@site/schema/console';
import { DataTable } from '../elements/DataTable.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { isNarrowed } from '../filters/filter-params.ts';
import { formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { describeRun } from './run-labels.ts';
import { StopRun } from './StopRun.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

/** All bulk retries, newest first. */
export function RunsView() {
  const now = useNow(false);
  const { runs, fault, ...stopping } = useRetryRuns();
  if (!runs || fault !== undefined) return <LoadState of="runs" fault={fault} />;
  if (runs.length === 0) return <p>No bulk retries yet. Start one with “Retry failed…” above the list of leads.</p>;
  return (
    <DataTable name="Retry runs" heads={['Started', 'By', 'Leads', 'Progress', 'Status']}>
      {runs.map((run) => (
        <tr key={run.id}>
          <td>{formatMoment(new Date(run.createdAt), now)}</td>
          <td>
            <bdi>{run.operator}</bdi>
          </td>
          <td>
            <bdi>{describeChoice(run)}</bdi>
          </td>
          <td>{describeRun(run)}</td>
          <td>
            <StopRun run={run} {...stopping} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function describeChoice({ filter }: RetryRun): string {
  const { data: leads = {} } = leadFilterQuery.safeParse(filter);
  const parts = [
    typeof filter['selected'] === 'number' ? `${filter['selected']} selected` : undefined,
    filter['failedInRefusalPause'] === true ? 'rejected in a row' : undefined,
    isNarrowed(leads) && describeFilter(leads),
    filter['withQuarantined'] === true ? 'including quarantined' : undefined,
  ];
  return parts.filter(Boolean).join(', ') || 'All failed';
}
