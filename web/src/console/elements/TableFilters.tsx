import { Field } from '../../ui/Field.tsx';
import { ChevronIcon } from './console-icons.tsx';
import styles from './TableFilters.module.css';

type Select = {
  label: string;
  /** The first option, which filters nothing. */
  all: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChoose: (value: string) => void;
};

/** Filters above a table. Each applies as soon as it is chosen. */
export function TableFilters({ name, selects }: { name: string; selects: readonly Select[] }) {
  return (
    <fieldset className={styles.filters} aria-label={`Filter ${name}`}>
      {selects.map(({ label, all, value, options, onChoose }) => (
        <Field key={label} label={label} className={styles.field}>
          {(control) => (
            <span className={styles.select}>
              <select {...control} value={value} onChange={(event) => onChoose(event.target.value)}>
                <option value="">{all}</option>
                {options.map((option) => (
                  <option key={option.value} value={option.value}>
                    {option.label}
                  </option>
                ))}
              </select>
              <ChevronIcon />
            </span>
          )}
        </Field>
      ))}
    </fieldset>
  );
}
