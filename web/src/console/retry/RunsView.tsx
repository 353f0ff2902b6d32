import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import type { RetryRun } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { EmptyView } from '../elements/EmptyView.tsx';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { Moment } from '../elements/Moment.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { isNarrowed, toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { useNow } from '../time/use-now.ts';
import { RunOutcome } from './RunOutcome.tsx';
import { STATE_NAMES } from './run-labels.ts';
import { StopRun } from './StopRun.tsx';
import { ALL_RUNS, useShownRuns } from './use-shown-runs.ts';

/** The latest bulk retries, newest first. */
export function RunsView() {
  const runs = useShownRuns();
  const { fault, reload } = runs;
  return (
    <>
      <LoadState of="Retry runs" data={runs.shown} fault={fault} reload={reload} />
      {runs.shown && <Runs {...runs} shown={runs.shown} />}
    </>
  );
}

type RunsProps = Omit<ReturnType<typeof useShownRuns>, 'shown'> & { shown: readonly RetryRun[] };

function Runs({ runs = [], shown, reload, choose }: RunsProps) {
  const now = useNow(false);
  if (runs.length === 0) {
    return (
      <EmptyView title="No bulk retries yet.">
        Start one with “Retry failed…” above the <Link to={{ search: 'status=failed' }}>list of leads</Link>.
      </EmptyView>
    );
  }
  if (shown.length === 0) {
    return (
      <EmptyView title="No retry runs found">
        <LinkButton onClick={() => choose(ALL_RUNS)}>Show all runs</LinkButton>
      </EmptyView>
    );
  }
  return (
    <DataTable
      name="Retry runs"
      heads={['Leads', 'Outcome', 'Status', 'By', 'Started']}
      widths={['26%', 'auto', '12%', '12%', '14%']}
      numbersFrom={4}
      isStacking
    >
      {shown.map((run) => (
        <tr key={run.id}>
          <td>
            <Choice run={run} />
          </td>
          <td data-own>
            <RunOutcome run={run} />
          </td>
          <td>
            {run.finishedAt === null && run.stoppedAt === null && STATE_NAMES.running}{' '}
            <StopRun run={run} onStopped={reload} />
          </td>
          <td data-label="by">
            <bdi>{run.operator}</bdi>
          </td>
          <td data-figure>
            <Moment at={run.createdAt} now={now} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** Which leads a run took, with a link to them. */
function Choice({ run }: { run: RetryRun }) {
  const { data: leads = {} } = leadFilterQuery.safeParse(run.filter);
  return (
    <Link to={{ search: toQuery({ retryRun: run.id }) }}>
      <bdi>{describeChoice(run, leads)}</bdi>
    </Link>
  );
}

function describeChoice({ filter }: RetryRun, leads: ListFilter): string {
  const parts = [
    typeof filter['selected'] === 'number' ? `${filter['selected']} selected leads` : undefined,
    filter['failedInRefusalPause'] === true ? 'Leads rejected in a row' : undefined,
    isNarrowed(leads) && describeFilter(leads),
    filter['withQuarantined'] === true && leads.status !== 'quarantined' ? 'including quarantined' : undefined,
  ];
  return parts.filter(Boolean).join(', ') || 'All failed leads';
}
