import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import type { RetryRun } from '@site/schema/calls/retry';
import { Link, useSearchParams } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { EmptyView } from '../elements/EmptyView.tsx';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { Moment } from '../elements/Moment.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { TableFilters } from '../elements/TableFilters.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { isNarrowed, toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { useNow } from '../time/use-now.ts';
import { RunOutcome } from './RunOutcome.tsx';
import { STATE_NAMES, stateOf } from './run-labels.ts';
import { StopRun } from './StopRun.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

const STATES = Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label }));

/** The latest bulk retries, newest first: of the operator and in the state that the address names. */
export function BulkRetries() {
  const [params, setParams] = useSearchParams();
  const { runs, fault, reload } = useRetryRuns();
  const chosen = { by: params.get('by') ?? '', state: params.get('state') ?? '' };
  const choose = (change: Partial<typeof chosen>) => {
    const wanted = { view: 'sync' satisfies ConsoleView, ...chosen, ...change };
    setParams(new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')));
  };
  const shown = runs?.filter(
    (run) => (chosen.by === '' || run.operator === chosen.by) && (chosen.state === '' || stateOf(run) === chosen.state),
  );
  const operators = [...new Set(runs?.map(({ operator }) => operator))];
  return (
    <section aria-labelledby="bulk-retries">
      <SectionHead id="bulk-retries" title="Bulk retries" aside="started with “Retry failed…” in Leads">
        {runs && runs.length > 0 && (
          <TableFilters
            name="Bulk retries"
            selects={[
              {
                label: 'Operator',
                all: 'All operators',
                value: chosen.by,
                options: operators.map((name) => ({ value: name, label: name })),
                onChoose: (by) => choose({ by }),
              },
              {
                label: 'Status',
                all: 'All statuses',
                value: chosen.state,
                options: STATES,
                onChoose: (state) => choose({ state }),
              },
            ]}
          />
        )}
      </SectionHead>
      <LoadState of="Bulk retries" data={shown} fault={fault} reload={reload} />
      {runs && shown && (
        <Runs runs={runs} shown={shown} reload={reload} onShowAll={() => choose({ by: '', state: '' })} />
      )}
    </section>
  );
}

type RunsProps = {
  runs: readonly RetryRun[];
  shown: readonly RetryRun[];
  reload: () => Promise<unknown>;
  onShowAll: () => void;
};

function Runs({ runs, shown, reload, onShowAll }: RunsProps) {
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
      <EmptyView title="No bulk retries found">
        <LinkButton onClick={onShowAll}>Show all</LinkButton>
      </EmptyView>
    );
  }
  return (
    <DataTable
      name="Bulk retries"
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
