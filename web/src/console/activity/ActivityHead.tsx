import dialogStyles from '../shared/dialog.module.css';
import { useNarrow } from '../shared/use-media.ts';
import { ViewHead } from '../shared/heads.tsx';
import { DatePresets, FilterForm } from '../shared/FilterForm.tsx';
import { describeDates } from '../lead/filter-labels.ts';
import { ACTION_LABELS } from './actions.tsx';
import { toSearch, useActivity } from './use-activity.ts';

const LABELS = new Map<string, string>(Object.entries(ACTION_LABELS));

/** Chooses whose actions are shown, of which kind and of which days. */
export function ActivityHead({ title }: { title: string }) {
  const { chosen, dateFault, choose, pages } = useActivity();
  const isNarrow = useNarrow();
  const { operator, action, startDate, endDate } = chosen;
  // The chosen one too while the list is not there.
  const operators = new Set([...(pages?.[0]?.operators ?? []), operator].filter(Boolean));
  const dates = { startDate: startDate || undefined, endDate: endDate || undefined };
  return (
    <ViewHead
      title={title}
      range={
        dateFault && isNarrow ? (
          <strong className={dialogStyles.fault}>{dateFault}</strong>
        ) : (
          [LABELS.get(action), operator && `by ${operator}`, describeDates(dates)]
            .filter(Boolean)
            .join(', ')
        )
      }
      presets={<DatePresets filter={dates} view="activity" more={toSearch({ operator, action })} />}
      filters={
        <FilterForm
          filter={dates}
          choices={[
            {
              name: 'operator',
              label: 'Operator',
              all: 'All operators',
              chosen: operator,
              options: Array.from(operators, (name) => [name, name]),
            },
            {
              name: 'action',
              label: 'Action',
              all: 'All actions',
              chosen: action,
              options: [...LABELS],
            },
          ]}
          onApply={(_, wanted) => choose(wanted)}
        />
      }
    />
  );
}
