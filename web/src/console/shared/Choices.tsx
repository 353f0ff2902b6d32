import styles from './dialog.module.css';

type ChoicesProps<T> = {
  legend: string;
  choices: readonly (readonly [T, string])[];
  chosen: T;
  onChoose: (value: T) => void;
};

/** Renders a group of radio buttons. */
export function Choices<T extends string | undefined>(props: ChoicesProps<T>) {
  const { legend, choices, chosen, onChoose } = props;
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {choices.map(([value, label]) => (
        <label key={label} className={styles.tick}>
          <input
            type="radio"
            name={legend}
            checked={value === chosen}
            onChange={() => onChoose(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
