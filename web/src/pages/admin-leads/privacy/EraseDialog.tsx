import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import styles from '../retry/RetryDialog.module.css';

type EraseDialogProps = { email: string; isOpen: boolean; onClose: () => void; onErase: () => void };

/** Asked once more, since it cannot be undone. */
export function EraseDialog({ email, isOpen, onClose, onErase }: EraseDialogProps) {
  return (
    <Dialog open={isOpen} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>Erase this person?</DialogTitle>
      <p>
        <bdi>{email}</bdi>
      </p>
      <p className={styles.words}>
        Leads, attempts, sample requests, ended subscriptions and the subscriber at Beehiiv are deleted. It cannot be
        undone. Invoices at Stripe stay, as the law asks.
      </p>
      <div className={styles.actions}>
        <Button onClick={onErase}>Erase for good</Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
