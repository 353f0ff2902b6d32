import { Link } from 'react-router-dom';
import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';
import styles from '../elements/dialog.module.css';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import type { Running } from './find-running.ts';

type EraseDialogProps = {
  email: string;
  /** What must be cancelled first. */
  running: Running | undefined;
  onClose: () => void;
  onErase: () => void;
};

/** Asks for confirmation, because an erasure cannot be undone. */
export function EraseDialog({ email, running, onClose, onErase }: EraseDialogProps) {
  const { linkTo } = useOpenLead();
  return (
    <ConfirmDialog
      title={running ? 'This person has a subscription' : 'Erase this person?'}
      person={email}
      submit={running ? undefined : 'Erase permanently'}
      look="danger"
      dismiss={running ? 'Close' : 'Cancel'}
      onSubmit={onErase}
      onClose={onClose}
    >
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
          Leads, attempts, sample requests and the subscriber at Beehiiv are deleted. This cannot be undone. The ids,
          amounts and dates of payments stay here without the person, and invoices stay at Stripe, as the law requires.
        </p>
      )}
    </ConfirmDialog>
  );
}
