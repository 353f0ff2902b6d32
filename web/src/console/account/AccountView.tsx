import { toasts } from '../../ui/toast-store.ts';
import { useApiData } from '../api/data.tsx';
import { useCall } from '../session/use-call.ts';
import { Button } from '../../ui/Button.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import styles from './AccountView.module.css';
import { Colleagues } from './Colleagues.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { TwoStepLogin } from './TwoStepLogin.tsx';
import { Sessions } from './Sessions.tsx';

/**
 * Renders the operator's own account: password, two-step login, sessions and the latest logins. And
 * the operators.
 */
export function AccountView() {
  const account = useApiData('GET /api/admin/account');
  const { data, reload } = account;
  const onChanged = () => void reload();
  return (
    <>
      <ViewHead title="Your account" range="Two-step login, password, sessions and operators" />
      <LoadState of="Your account" {...account} />
      {data && (
        <div className={styles.columns}>
          <div>
            <TwoStepLogin state={data.twoStepLogin} onChanged={onChanged} />
            <PasswordForm onChanged={onChanged} />
            <TestMail />
          </div>
          <div>
            <Sessions account={data} onEnded={onChanged} />
            <Colleagues />
          </div>
        </div>
      )}
    </>
  );
}

/** Lists the owner's emails, and sends a test email. */
function TestMail() {
  const { send, failure, isPending, isViewer } = useCall('POST /api/admin/mail/test', {
    onDone: ({ to }) =>
      void toasts.add({ title: 'Test email sent', description: `To ${to.join(', ')}` }),
  });
  if (isViewer) return null;
  return (
    <section aria-labelledby="email" className={styles.section}>
      <SectionHead id="email" title="Email" />
      <p className={styles.quiet}>
        What needs attention, and a summary each Monday, are emailed to the recipients set up for
        alerts.
      </p>
      <div className={styles.buttons}>
        <Button
          look="line"
          pending={isPending}
          pendingLabel="Sending..."
          onClick={() => void send()}
        >
          Send a test email
        </Button>
      </div>
      <p role="alert">{failure}</p>
    </section>
  );
}
