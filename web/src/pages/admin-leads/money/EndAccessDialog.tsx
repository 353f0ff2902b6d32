import type { ComplimentaryList } from '@site/schema/calls/people';
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
  const { send, fault, isPending } = useConfirmedCall('POST /api/admin/people/complimentary', ({ email }) => {
    onClose();
    onDone();
    toasts.add({ title: 'Complimentary access ended', description: email });
  });
  const end = () => access && void send({ body: { email: access.email, until: new Date().toISOString() } });
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
