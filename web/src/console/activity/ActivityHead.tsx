import { Field } from '../../ui/Field.tsx';
import { Select } from '../elements/Select.tsx';
import styles from '../elements/TableFilters.module.css';
import { ViewHead } from '../elements/ViewHead.tsx';
import { DatePresets } from '../filters/DatePresets.tsx';
import { FilterForm } from '../filters/FilterForm.tsx';
import { describeDates } from '../filters/filter-labels.ts';
import { ACTION_LABELS } from './action-labels.ts';
import { toSearch, useActivity } from './use-activity.ts';

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
      range={[labelOf(action), operator && `by ${operator}`, describeDates(dates)].filter(Boolean).join(', ')}
      presets={<DatePresets filter={dates} view="activity" more={toSearch({ operator, action })} />}
      filters={
        <>
          <fieldset className={styles.filters} aria-label="Filter Activity">
            <Choice
              label="Operator"
              chosen={operator}
              options={Array.from(operators, (name) => [name, name])}
              onChoose={(wanted) => choose({ operator: wanted }, { keepsFilters: true })}
            />
            <Choice
              label="Action"
              chosen={action}
              options={Object.entries(ACTION_LABELS)}
              onChoose={(wanted) => choose({ action: wanted }, { keepsFilters: true })}
            />
          </fieldset>
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

const labelOf = (action: string) => Object.entries(ACTION_LABELS).find(([name]) => name === action)?.[1];

type ChoiceProps = {
  label: string;
  chosen: string;
  options: (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
};

/** A filter that applies as soon as it is chosen. */
function Choice({ label, chosen, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label} className={styles.field}>
      {(control) => (
        <Select {...control} value={chosen} onChange={(event) => onChoose(event.target.value)}>
          <option value="">All {label.toLowerCase()}s</option>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
