import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import { CONSOLE_KEYS } from './keyboard.ts';
import styles from './KeyList.module.css';

/** Every key of the console and what it does. */
export function KeyList({ open, onClose }: { open: boolean; onClose: () => void }) {
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
    </Dialog>
  );
}
