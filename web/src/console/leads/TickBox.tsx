import { classNames } from '../../ui/class-names.ts';
import styles from './TickBox.module.css';

type TickBoxProps = {
  label: string;
  /** Whether everybody sees the label. */
  isShown?: boolean;
  isTicked: boolean;
  /** Some of what it stands for is ticked, and some not. */
  isMixed?: boolean;
  onToggle: (withShift: boolean) => void;
};

/** A checkbox with a label, mostly for screen readers alone. Its target is large enough for a finger. */
export function TickBox({
  label,
  isShown = false,
  isTicked,
  isMixed = false,
  onToggle,
}: TickBoxProps) {
  return (
    <label className={classNames(styles.tick, isShown && styles.line)}>
      {isShown && label}
      <input
        type="checkbox"
        aria-label={label}
        checked={isTicked}
        ref={(box) => {
          if (box) box.indeterminate = isMixed;
        }}
        onChange={({ nativeEvent }) =>
          onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  );
}
