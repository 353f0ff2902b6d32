import styles from './TickBox.module.css';

type TickBoxProps = {
  label: string;
  isTicked: boolean;
  /** Some of its rows are ticked, and some are not. */
  isMixed?: boolean;
  onToggle: () => void;
};

/** Renders a checkbox with a label for screen readers. Its target is large enough for a finger. */
export function TickBox({ label, isTicked, isMixed = false, onToggle }: TickBoxProps) {
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isTicked}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={onToggle}
      />
    </label>
  );
}
