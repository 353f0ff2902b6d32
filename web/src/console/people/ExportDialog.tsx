import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';
import styles from '../elements/dialog.module.css';
import { useCall } from '../session/use-call.ts';
import { saveExport } from './export-page.ts';
import { useHeld } from './use-held.ts';

type ExportDialogProps = { email: string; name: string; onClose: () => void };

/** Says what an export will hold, before it is saved as a page that also carries the JSON. */
export function ExportDialog({ email, name, onClose }: ExportDialogProps) {
  const { held, fault } = useHeld(email);
  const {
    send,
    fault: refusal,
    isPending,
  } = useCall('POST /api/admin/people/export', {
    onDone(answer) {
      saveExport(answer, name);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={held === '' ? 'Nothing to export' : 'Export everything held?'}
      person={email}
      submit={held === '' ? undefined : 'Export'}
      dismiss={held === '' ? 'Close' : 'Cancel'}
      isDisabled={!held}
      isPending={isPending}
      fault={fault ?? refusal}
      onSubmit={() => void send({ body: { email } })}
      onClose={onClose}
    >
      <p className={styles.words}>
        {held === undefined ? 'Counting…' : held === '' ? 'Nothing is stored about this address.' : `${held}. `}
        {held &&
          'One page to read, which also carries the data as JSON. What Beehiiv and Stripe hold is exported there.'}
      </p>
    </ConfirmDialog>
  );
}
