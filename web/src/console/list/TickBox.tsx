import { classNames } from '../../ui/class-names.ts';
import styles from './TickBox.module.css';

type TickBoxProps = {
  label: string;
  /** Whether everybody sees the label. */
  isShown?: boolean;
  isTicked: boolean;
  onToggle: (withShift: boolean) => void;
};

/** A checkbox with a label, mostly for screen readers alone. Its target is large enough for a finger. */
export function TickBox({ label, isShown = false, isTicked, onToggle }: TickBoxProps) {
  return (
    <label className={classNames(styles.tick, isShown && styles.line)}>
      {isShown && label}
      <input
        type="checkbox"
        aria-label={label}
        checked={isTicked}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}
