import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import { focusFault } from './focus-fault.ts';
import { Select } from './Select.tsx';
import type { ListFilter } from './filter-params.ts';
import styles from './FilterForm.module.css';

type Choice = {
  name: string;
  label: string;
  /** What no choice is called. */
  all: string;
  chosen: string | undefined;
  options: (readonly [value: string, label: string])[];
};
type FilterFormProps = {
  filter: ListFilter;
  /** What else is chosen, beside the dates. */
  choices?: Choice[];
  onApply: (filter: ListFilter, chosen: Record<string, string>) => void;
};
type Draft = Record<string, string>;

/** Changes nothing until it is applied. When the applied filter changes elsewhere, the form follows. */
export function FilterForm({ filter, choices = [], onApply }: FilterFormProps) {
  const [params] = useSearchParams();
  const fault = useDateFault();
  // The filter leaves out dates that are wrong.
  const dateOf = (name: 'startDate' | 'endDate') =>
    (fault === undefined ? filter[name] : params.get(name)) ?? '';
  const shown: Draft = {
    ...Object.fromEntries(choices.map(({ name, chosen = '' }) => [name, chosen])),
    startDate: dateOf('startDate'),
    endDate: dateOf('endDate'),
  };
  return (
    <Fields
      key={JSON.stringify(shown)}
      shown={shown}
      choices={choices}
      shownFault={fault}
      onApply={(draft) => {
        const { data } = leadFilterQuery.safeParse(draft);
        const emptied = Object.fromEntries(Object.keys(draft).map((name) => [name, undefined]));
        if (data) onApply({ ...filter, ...emptied, ...data }, draft);
      }}
    />
  );
}

type FieldsProps = {
  shown: Draft;
  choices: Choice[];
  shownFault: string | undefined;
  onApply: (draft: Draft) => void;
};

function Fields({ shown, choices, shownFault, onApply }: FieldsProps) {
  const [draft, setDraft] = useState(shown);
  const [fault, setFault] = useState(() => {
    const found = findFault(shown);
    return found && { ...found, message: shownFault ?? found.message };
  });
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = findFault(draft);
    setFault(found);
    if (found) focusFault(event.currentTarget);
    else onApply(draft);
  };
  const edit = (name: string, value: string) => {
    setDraft({ ...draft, [name]: value });
    setFault(undefined);
  };
  const faultOf = (field: string) => (fault?.field === field ? fault.message : undefined);
  const dates = [
    ['startDate', 'Start Date'],
    ['endDate', 'End Date'],
  ] as const;
  return (
    <form className={styles.form} onSubmit={apply} aria-label="Filters">
      {choices.map(({ name, label, all, options }) => (
        <Field key={name} label={label} className={styles.field} error={faultOf(name)}>
          {(control) => (
            <Select
              {...control}
              value={draft[name]}
              onChange={(event) => edit(name, event.target.value)}
            >
              <option value="">{all}</option>
              {options.map(([value, option]) => (
                <option key={value} value={value}>
                  {option}
                </option>
              ))}
            </Select>
          )}
        </Field>
      ))}
      {dates.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          type="date"
          className={styles.field}
          error={faultOf(name)}
          value={draft[name]}
          onChange={(event) => edit(name, event.target.value)}
        />
      ))}
      <Button type="submit" className={styles.apply}>
        Apply Filters
      </Button>
    </form>
  );
}

/** Returns what is wrong with a filter: the field, and a message for it. */
function findFault(draft: Partial<Draft>): { field: string; message: string } | undefined {
  const issue = leadFilterQuery.safeParse(draft).error?.issues[0];
  return issue && { field: String(issue.path[0] ?? 'endDate'), message: issue.message };
}

/** Returns what is wrong with the dates of the address, of which the filter then leaves out both. */
export function useDateFault(): string | undefined {
  const [params] = useSearchParams();
  const fault = findFault({
    startDate: params.get('startDate') ?? '',
    endDate: params.get('endDate') ?? '',
  });
  return fault && `${fault.message}. Both are left out.`;
}
