import { TableFilters } from '../elements/TableFilters.tsx';
import { ViewHead } from '../elements/ViewHead.tsx';
import { DatePresets } from '../filters/DatePresets.tsx';
import { FilterForm } from '../filters/FilterForm.tsx';
import { describeDates } from '../filters/filter-labels.ts';
import { ACTION_LABELS } from './action-labels.ts';
import { toSearch, useActivity } from './use-activity.ts';

const ACTIONS = Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label }));

/** Chooses whose actions are shown, of which kind and of which days. */
export function ActivityHead({ title }: { title: string }) {
  const { chosen, choose, pages } = useActivity();
  const { operator, action, startDate, endDate } = chosen;
  // The chosen one too while the list is not there.
  const operators = new Set([...(pages?.[0]?.operators ?? []), operator].filter(Boolean));
  const dates = { startDate: startDate || undefined, endDate: endDate || undefined };
  return (
    <ViewHead
      title={title}
      range={describeDates(dates)}
      presets={<DatePresets filter={dates} view="activity" more={toSearch({ operator, action })} />}
      filters={
        <>
          <TableFilters
            name="Activity"
            selects={[
              {
                label: 'Operator',
                all: 'All operators',
                value: operator,
                options: Array.from(operators, (name) => ({ value: name, label: name })),
                onChoose: (wanted) => choose({ operator: wanted }),
              },
              {
                label: 'Action',
                all: 'All actions',
                value: action,
                options: ACTIONS,
                onChoose: (wanted) => choose({ action: wanted }),
              },
            ]}
          />
          <FilterForm
            filter={dates}
            hasDatesOnly
            onApply={(wanted) => choose({ startDate: wanted.startDate ?? '', endDate: wanted.endDate ?? '' })}
          />
        </>
      }
    />
  );
}
