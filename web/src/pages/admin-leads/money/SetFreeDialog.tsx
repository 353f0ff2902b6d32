import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import styles from '../elements/dialog.module.css';

type SetFreeDialogProps = { email: string; isOpen: boolean; onClose: () => void; onConfirm: () => void };

/** Asks for confirmation before somebody loses premium. */
export function SetFreeDialog({ email, isOpen, onClose, onConfirm }: SetFreeDialogProps) {
  return (
    <Dialog open={isOpen} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>Set to free?</DialogTitle>
      <p>
        <bdi>{email}</bdi>
      </p>
      <p className={styles.words}>
        They no longer get the paid issue. If it was a gift from you, close this and give them complimentary access
        until a date.
      </p>
      <div className={styles.actions}>
        <Button look="danger" onClick={onConfirm}>
          Set to free
        </Button>
        <Button look="line" onClick={onClose}>
          Keep premium
        </Button>
      </div>
    </Dialog>
  );
}
