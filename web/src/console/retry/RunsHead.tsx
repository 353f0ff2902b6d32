import { TableFilters } from '../elements/TableFilters.tsx';
import { ViewHead } from '../elements/ViewHead.tsx';
import { STATE_NAMES } from './run-labels.ts';
import { useShownRuns } from './use-shown-runs.ts';

const STATES = Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label }));

/** Chooses whose bulk retries are shown, and in which state. Without any there is nothing to choose. */
export function RunsHead({ title }: { title: string }) {
  const { runs = [], chosen, choose } = useShownRuns();
  if (runs.length === 0) return <ViewHead title={title} />;
  return (
    <ViewHead
      title={title}
      filters={
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
      }
    />
  );
}
