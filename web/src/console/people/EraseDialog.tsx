import { useNavigate } from 'react-router-dom';
import { toasts } from '../../ui/toast-store.ts';
import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';
import styles from '../elements/dialog.module.css';
import { RECEIPTS } from '../navigation/console-views.ts';
import { useCall } from '../session/use-call.ts';
import { useHeld } from './use-held.ts';

/** Says what will be erased, and asks for confirmation, because it cannot be undone. Then shows the receipt. */
export function EraseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const navigate = useNavigate();
  const { held, fault } = useHeld(email);
  const {
    send,
    fault: refusal,
    isPending,
  } = useCall('POST /api/admin/people/erase', {
    onDone() {
      onClose();
      // What was searched for goes from the history too.
      void navigate({ search: RECEIPTS }, { replace: true });
      toasts.add({ title: 'Erased here', description: 'Beehiiv is being asked to delete the subscriber.' });
    },
  });
  return (
    <ConfirmDialog
      title="Erase this person?"
      person={email}
      submit="Erase permanently"
      look="danger"
      dismiss="Cancel"
      isDisabled={held === undefined}
      isPending={isPending}
      fault={fault ?? refusal}
      onSubmit={() => void send({ body: { email } })}
      onClose={onClose}
    >
      <p className={styles.words}>
        {held === undefined
          ? 'Counting…'
          : held === ''
            ? 'Nothing is stored about this address.'
            : `Held here: ${held}.`}{' '}
        Leads, notes, attempts, sample requests and the subscriber at Beehiiv are deleted. This cannot be undone. The
        ids, amounts and dates of payments stay here without the person, and invoices stay at Stripe, as the law
        requires.
      </p>
    </ConfirmDialog>
  );
}
