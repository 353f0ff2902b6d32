import { dayAfter, londonDate } from '@site/schema/calendar';
import { leadFilterQuery } from '@site/schema/calls/lead-filter';
import { Fragment, useState } from 'react';
import type { SubmitEvent } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import type { ConsoleView } from '../navigation.ts';
import { Select } from './fields.tsx';
import { toSearch } from './filter.ts';
import type { ListFilter } from './filter.ts';
import styles from './FilterForm.module.css';
import { focusFailure } from './focus.ts';
import { useNow } from './use-now.ts';

type Choice = {
  name: string;
  label: string;
  /** The label of "no choice". */
  all: string;
  chosen: string | undefined;
  /** Undefined for an open set of values, which are typed. */
  options: (readonly [value: string, label: string])[] | undefined;
};
type FilterFormProps = {
  filter: ListFilter;
  /** Choices other than the dates. */
  choices?: Choice[];
  onApply: (filter: ListFilter, chosen: Record<string, string>) => void;
};

const DATES = [
  ['startDate', 'Start Date'],
  ['endDate', 'End Date'],
] as const;

/** Edits a filter without applying it. Follows the applied filter when it changes elsewhere. */
export function FilterForm({ filter, choices = [], onApply }: FilterFormProps) {
  const key = JSON.stringify([
    filter.startDate,
    filter.endDate,
    ...choices.map(({ chosen }) => chosen),
  ]);
  const [own, setOwn] = useState<{ key: string; failure?: DateError | undefined }>();
  const failure = own?.key === key ? own.failure : undefined;
  const errorOf = (name: string) => (failure?.field === name ? failure.message : undefined);
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const draft = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const { data, error } = leadFilterQuery.safeParse(draft);
    setOwn({ key, failure: toFailure(error) });
    if (!data) return focusFailure(event.currentTarget);
    const emptied = Object.fromEntries(Object.keys(draft).map((name) => [name, undefined]));
    onApply({ ...filter, ...emptied, ...data }, draft);
  };
  return (
    <form
      className={styles.form}
      onSubmit={apply}
      onChange={() => setOwn({ key })}
      aria-label="Filters"
    >
      {/* The button outlives the fields, and keeps the focus. */}
      <Fragment key={key}>
        {choices.map(({ name, label, all, chosen, options }) => (
          <Field key={name} label={label} className={styles.field}>
            {(control) =>
              options ? (
                <Select {...control} name={name} defaultValue={chosen}>
                  <option value="">{all}</option>
                  {options.map(([value, option]) => (
                    <option key={value} value={value}>
                      {option}
                    </option>
                  ))}
                </Select>
              ) : (
                <input {...control} name={name} defaultValue={chosen} placeholder={all} />
              )
            }
          </Field>
        ))}
        {DATES.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            type="date"
            className={styles.field}
            error={errorOf(name)}
            name={name}
            defaultValue={filter[name]}
          />
        ))}
      </Fragment>
      <Button type="submit" className={styles.apply}>
        Apply Filters
      </Button>
    </form>
  );
}

type DateError = { field: string; message: string };

function toFailure(error: ReturnType<typeof leadFilterQuery.safeParse>['error']) {
  const issue = error?.issues[0];
  return issue && { field: String(issue.path[0]), message: issue.message };
}

/** Periods of days that end today. Without a number, all dates. */
type Presets = readonly (readonly [name: string, days?: number])[];
const PRESETS: Presets = [['Today', 1], ['7 days', 7], ['30 days', 30], ['90 days', 90], ['All']];

type DatePresetsProps = {
  filter: ListFilter;
  /** The view that the links open, if not the list. */
  view?: ConsoleView;
  presets?: Presets;
  /** Further parameters of their query. */
  more?: string;
};

/** Links to the most common periods. Each ends today, and both ends count. */
export function DatePresets({ filter, view, presets = PRESETS, more }: DatePresetsProps) {
  const today = londonDate(useNow(false));
  return (
    <nav className="tabs" aria-label="Dates">
      {presets.map(([name, days]) => {
        const startDate = days ? dayAfter(today, 1 - days) : undefined;
        const endDate = days ? today : undefined;
        const query = toSearch({ ...filter, startDate, endDate }, view);
        return (
          <Link
            key={name}
            to={{ search: [query, more].filter(Boolean).join('&') }}
            aria-current={
              filter.startDate === startDate && filter.endDate === endDate ? 'true' : undefined
            }
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
