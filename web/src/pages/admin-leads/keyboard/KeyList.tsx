import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { CONSOLE_KEYS } from './keyboard.ts';
import styles from './KeyList.module.css';
import type { useSingleKeys } from './use-single-keys.ts';

type KeyListProps = { open: boolean; singleKeys: ReturnType<typeof useSingleKeys>; onClose: () => void };

/** Every key of the console and what it does, and the way to do without. */
export function KeyList({ open, singleKeys, onClose }: KeyListProps) {
  return (
    <Dialog open={open} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>Keys</DialogTitle>
      <dl className={styles.keys}>
        {CONSOLE_KEYS.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className={styles.turn}>
        <input type="checkbox" checked={singleKeys.areOn} onChange={(event) => singleKeys.turn(event.target.checked)} />
        Single keys are on
      </label>
    </Dialog>
  );
}
