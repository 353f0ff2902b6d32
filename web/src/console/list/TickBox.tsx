import styles from './TickBox.module.css';

type TickBoxProps = { label: string; isTicked: boolean; onToggle: (withShift: boolean) => void };

/** A checkbox with a label for screen readers. Its target is large enough for a finger. */
export function TickBox({ label, isTicked, onToggle }: TickBoxProps) {
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        aria-label={label}
        checked={isTicked}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}
