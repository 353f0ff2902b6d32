import { toasts } from '../../../ui/toast-store.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { useCall } from '../../session/use-call.ts';

type EndAccessDialogProps = { email: string; onClose: () => void; onDone: () => void };

/** Asks for confirmation before complimentary access ends early. */
export function EndAccessDialog({ email, onClose, onDone }: EndAccessDialogProps) {
  const { send, fault, isPending } = useCall('POST /api/admin/people/complimentary', {
    onDone(ended) {
      onClose();
      onDone();
      toasts.add({ title: 'Free access ended', description: ended.email });
    },
  });
  return (
    <ConfirmDialog
      title="End free access?"
      person={email}
      submit="End access"
      isPending={isPending}
      fault={fault}
      onSubmit={() => void send({ body: { email, until: new Date().toISOString() } })}
      onClose={onClose}
    >
      <p className={styles.words}>Beehiiv will move them to the free list, unless they pay.</p>
    </ConfirmDialog>
  );
}
