import type { ListedLead } from '@site/schema/stored-lead';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';

type SendDialogProps = {
  lead: ListedLead;
  name: string | null;
  onSend: () => void;
  onClose: () => void;
};

/** Asks before a quarantined lead is sent. */
export function SendDialog({ lead, name, onSend, onClose }: SendDialogProps) {
  const { email, quarantineReason, consentMarketing } = lead;
  return (
    <ConfirmDialog
      title="Send to Beehiiv?"
      person={[name, email].filter(Boolean).join(', ')}
      submit="Send"
      onSubmit={onSend}
      onClose={onClose}
    >
      <p className={styles.words}>
        It looked automated{quarantineReason && `: ${quarantineReason}`}.{' '}
        {consentMarketing
          ? 'Beehiiv adds it to the list as it does any other lead.'
          : 'They did not agree to email: Beehiiv asks them to confirm before it sends anything.'}
      </p>
    </ConfirmDialog>
  );
}
