import { complimentaryAnswer } from '@site/schema/money';
import type { ComplimentaryList } from '@site/schema/money';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import { DialogForm } from '../elements/DialogForm.tsx';
import styles from '../elements/dialog.module.css';
import { useConfirmedCall } from './use-confirmed-call.ts';

type EndAccessDialogProps = {
  access: ComplimentaryList['access'][number] | undefined;
  onClose: () => void;
  onDone: () => void;
};

/** Asks for confirmation before complimentary access ends early. */
export function EndAccessDialog({ access, onClose, onDone }: EndAccessDialogProps) {
  const { send, fault, isPending } = useConfirmedCall('/api/admin/people/complimentary', (answer) => {
    onClose();
    onDone();
    toasts.add({ title: 'Complimentary access ended', description: complimentaryAnswer.parse(answer).email });
  });
  const end = () => access && void send({ email: access.email, until: new Date().toISOString() });
  return (
    <Dialog open={access !== undefined} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>End complimentary access?</DialogTitle>
      <DialogForm
        submit="End access"
        look="danger"
        isPending={isPending}
        fault={fault}
        onSubmit={end}
        onDismiss={onClose}
      >
        <p className={styles.person}>
          <bdi>{access?.email}</bdi>
        </p>
        <p className={styles.words}>Beehiiv is asked for the tier free now, unless the address pays.</p>
      </DialogForm>
    </Dialog>
  );
}
