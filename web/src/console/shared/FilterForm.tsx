import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { useSearchParams } from 'react-router-dom';
import { CallButton } from './CallButton.tsx';
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
  /** Where a button has just opened it. */
  takesFocus?: boolean;
};
type Draft = Record<string, string> & { startDate: string; endDate: string };

/** Changes nothing until it is applied. When the applied filter changes elsewhere, the form follows. */
export function FilterForm({ filter, choices = [], onApply, takesFocus = false }: FilterFormProps) {
  const [params] = useSearchParams();
  const dateOf = (name: string) => params.get(name) ?? undefined;
  // The filter leaves out dates that are wrong.
  const dateFault = useDateFault();
  const wrong = dateFault !== undefined && {
    startDate: dateOf('startDate'),
    endDate: dateOf('endDate'),
  };
  const shown: Draft = {
    ...Object.fromEntries(choices.map(({ name, chosen = '' }) => [name, chosen])),
    ...toDraft({ ...filter, ...wrong }),
  };
  const [draft, setDraft] = useState(shown);
  const address = JSON.stringify(shown);
  const [applied, setApplied] = useState(address);
  const findShownFault = () => {
    const found = findFault(shown);
    return found && { ...found, message: dateFault ?? found.message };
  };
  const [fault, setFault] = useState(findShownFault);
  if (applied !== address) {
    setApplied(address);
    setDraft(shown);
    setFault(findShownFault());
  }

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = findFault(draft);
    setFault(found);
    if (found) focusFault(event.currentTarget);
    const { data } = leadFilterQuery.safeParse(draft);
    const emptied = Object.fromEntries(Object.keys(draft).map((name) => [name, undefined]));
    if (data) onApply({ ...filter, ...emptied, ...data }, draft);
  };
  const edit = (name: string, value: string) => {
    setDraft({ ...draft, [name]: value });
    setFault(undefined);
  };
  const faultOf = (field: string) => (fault?.field === field ? fault.message : undefined);

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
      <TextField
        label="Start Date"
        type="date"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that was pressed opens it
        autoFocus={takesFocus}
        className={styles.field}
        error={faultOf('startDate')}
        value={draft.startDate}
        onChange={(event) => edit('startDate', event.target.value)}
      />
      <TextField
        label="End Date"
        type="date"
        className={styles.field}
        error={faultOf('endDate')}
        value={draft.endDate}
        onChange={(event) => edit('endDate', event.target.value)}
      />
      <CallButton type="submit" className={styles.apply}>
        Apply Filters
      </CallButton>
    </form>
  );
}

/** Finds what is wrong with a filter: the field, and a message for it. */
function findFault(draft: Partial<Draft>): { field: string; message: string } | undefined {
  const issue = leadFilterQuery.safeParse(draft).error?.issues[0];
  return issue && { field: String(issue.path[0] ?? 'endDate'), message: issue.message };
}

/** Says what is wrong with the dates of the address, of which the filter then leaves out both. */
export function useDateFault(): string | undefined {
  const [params] = useSearchParams();
  const fault = findFault({
    startDate: params.get('startDate') ?? '',
    endDate: params.get('endDate') ?? '',
  });
  return fault && `${fault.message}. Both are left out.`;
}

function toDraft({ startDate, endDate }: ListFilter) {
  return { startDate: startDate ?? '', endDate: endDate ?? '' };
}
