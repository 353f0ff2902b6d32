import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import styles from '../elements/dialog.module.css';

type EraseDialogProps = { email: string; isOpen: boolean; onClose: () => void; onErase: () => void };

/** Asks for confirmation, because an erasure cannot be undone. */
export function EraseDialog({ email, isOpen, onClose, onErase }: EraseDialogProps) {
  return (
    <Dialog open={isOpen} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>Erase this person?</DialogTitle>
      <p>
        <bdi>{email}</bdi>
      </p>
      <p className={styles.words}>
        Leads, attempts, sample requests, ended subscriptions and the subscriber at Beehiiv are deleted. This cannot be
        undone. Invoices at Stripe are kept, as the law requires.
      </p>
      <div className={styles.actions}>
        <Button look="danger" onClick={onErase}>
          Erase permanently
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
