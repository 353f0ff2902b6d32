import { Link } from 'react-router-dom';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import styles from '../elements/dialog.module.css';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import type { Running } from './find-running.ts';

type EraseDialogProps = {
  email: string;
  /** What must be cancelled first. */
  running: Running | undefined;
  isOpen: boolean;
  onClose: () => void;
  onErase: () => void;
};

/** Asks for confirmation, because an erasure cannot be undone. */
export function EraseDialog({ email, running, isOpen, onClose, onErase }: EraseDialogProps) {
  const { linkTo } = useOpenLead();
  return (
    <Dialog open={isOpen} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>
        {running ? 'This person has a subscription' : 'Erase this person?'}
      </DialogTitle>
      <p>
        <bdi>{email}</bdi>
      </p>
      {running ? (
        <p className={styles.words}>
          Their subscription is not over ({STAGE_NAMES[running.stage].toLowerCase()}). Cancel it at once in{' '}
          <Link to={{ search: linkTo(running.leadId) }} state={{ email }} onClick={onClose}>
            their lead
          </Link>
          , then erase them.
        </p>
      ) : (
        <p className={styles.words}>
          Leads, attempts, sample requests, ended subscriptions and the subscriber at Beehiiv are deleted. This cannot
          be undone. Invoices at Stripe are kept, as the law requires.
        </p>
      )}
      <div className={styles.actions}>
        {!running && (
          <Button look="danger" onClick={onErase}>
            Erase permanently
          </Button>
        )}
        <Button look="line" onClick={onClose}>
          {running ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </Dialog>
  );
}
