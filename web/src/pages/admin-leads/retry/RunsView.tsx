import { leadFilterQuery } from '@site/schema/admin';
import type { RetryRun } from '@site/schema/console';
import { Link, useSearchParams } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { EmptyView } from '../elements/EmptyView.tsx';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { TableFilters } from '../elements/TableFilters.tsx';
import { describeFilter } from '../filters/filter-labels.ts';
import { isNarrowed, toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { formatFully, formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { describeRun, stateOf } from './run-labels.ts';
import { StopRun } from './StopRun.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

const STATES = [
  { value: 'running', label: 'In progress' },
  { value: 'done', label: 'Done' },
  { value: 'stopped', label: 'Stopped' },
];

/** The latest bulk retries, newest first, of one operator or in one state if the address says so. */
export function RunsView() {
  const now = useNow(false);
  const [params, setParams] = useSearchParams();
  const chosen = { by: params.get('by') ?? '', state: params.get('state') ?? '' };
  const { runs, fault, reload, stop, stopping } = useRetryRuns();
  if (!runs || fault !== undefined) return <LoadState of="runs" fault={fault} onTryAgain={reload} />;
  if (runs.length === 0) {
    return (
      <EmptyView title="No bulk retries yet.">
        Start one with “Retry failed…” above the <Link to={{ search: 'status=failed' }}>list of leads</Link>.
      </EmptyView>
    );
  }
  const choose = (change: Partial<typeof chosen>) => {
    const wanted = Object.entries({ view: 'runs', ...chosen, ...change }).filter(([, value]) => value !== '');
    setParams(new URLSearchParams(wanted));
  };
  const shown = runs.filter(
    (run) => (chosen.by === '' || run.operator === chosen.by) && (chosen.state === '' || stateOf(run) === chosen.state),
  );
  return (
    <>
      <TableFilters
        name="Retry runs"
        selects={[
          {
            label: 'Operator',
            all: 'All operators',
            value: chosen.by,
            options: [...new Set(runs.map(({ operator }) => operator))].map((name) => ({ value: name, label: name })),
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
      {shown.length === 0 ? (
        <EmptyView title="No retry runs found">
          <LinkButton onClick={() => choose({ by: '', state: '' })}>Show all runs</LinkButton>
        </EmptyView>
      ) : (
        <DataTable name="Retry runs" heads={['Started', 'By', 'Leads', 'Progress', 'Status']}>
          {shown.map((run) => (
            <tr key={run.id}>
              <td>
                <time dateTime={run.createdAt} title={formatFully(new Date(run.createdAt))}>
                  {formatMoment(new Date(run.createdAt), now)}
                </time>
              </td>
              <td>
                <bdi>{run.operator}</bdi>
              </td>
              <td>
                <Choice run={run} />
              </td>
              <td>{describeRun(run)}</td>
              <td>
                <StopRun run={run} stop={stop} stopping={stopping} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </>
  );
}

/** Which leads a run took, with a link to them where they were a filter's. */
function Choice({ run }: { run: RetryRun }) {
  const { data: leads = {} } = leadFilterQuery.safeParse(run.filter);
  const told = <bdi>{describeChoice(run, leads)}</bdi>;
  if (typeof run.filter['selected'] === 'number' || run.filter['failedInRefusalPause'] === true) return told;
  return <Link to={{ search: toQuery(leads) }}>{told}</Link>;
}

function describeChoice({ filter }: RetryRun, leads: ListFilter): string {
  const parts = [
    typeof filter['selected'] === 'number' ? `${filter['selected']} selected` : undefined,
    filter['failedInRefusalPause'] === true ? 'rejected in a row' : undefined,
    isNarrowed(leads) && describeFilter(leads),
    filter['withQuarantined'] === true && leads.status !== 'quarantined' ? 'including quarantined' : undefined,
  ];
  return parts.filter(Boolean).join(', ') || 'All failed';
}
