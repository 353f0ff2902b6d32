import { CallButton } from '../shared/CallButton.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useCall } from '../session/use-call.ts';
import styles from './AccountView.module.css';

/** Says what the owner is emailed, and tries it. */
export function TestMail() {
  const { send, fault, isPending } = useCall('POST /api/admin/mail/test', {
    onDone: ({ to }) =>
      void toasts.add({ title: 'Test email sent', description: `To ${to.join(', ')}` }),
  });
  return (
    <section aria-labelledby="email" className={styles.section}>
      <SectionHead id="email" title="Email" />
      <p className={styles.quiet}>
        What needs attention, and a summary each Monday, are emailed to the addresses set up for
        alerts.
      </p>
      <div className={styles.buttons}>
        <CallButton
          look="line"
          pending={isPending}
          pendingLabel="Sending..."
          onClick={() => void send()}
        >
          Send a test email
        </CallButton>
      </div>
      <p role="alert">{fault}</p>
    </section>
  );
}
