import type { CallRequest } from '@site/schema/calls/calls';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { useApiData } from '../api/data.tsx';
import { useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import { Button } from '../../ui/Button.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { focusFailure } from '../shared/focus.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import styles from './AccountView.module.css';
import { TwoStepLogin } from './TwoStepLogin.tsx';
import { Sessions } from './Sessions.tsx';

type PasswordBody = CallRequest<'POST /api/admin/account/password'>['body'];

/** Renders the operator's own account: password, two-step login, sessions and the latest logins. */
export function AccountView() {
  const account = useApiData('GET /api/admin/account');
  const { data, reload } = account;
  const onChanged = () => void reload();
  return (
    <>
      <ViewHead title="Your account" range="Two-step login, password and sessions" />
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
          </div>
        </div>
      )}
    </>
  );
}

/** Changes the operator's own password. */
function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { operator } = useSession();
  const [isShown, setShown] = useState(false);
  const { send, failure, fieldErrors, isPending } = useCall('POST /api/admin/account/password');
  const { newPassword, currentPassword = newPassword ? undefined : failure } = fieldErrors;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = Object.fromEntries(new FormData(form)) as PasswordBody;
    if (!(await send({ body }))) return focusFailure(form);
    form.reset();
    toasts.add({ title: 'Password changed', description: 'Your other sessions are over.' });
    onChanged();
  };
  return (
    <section aria-labelledby="password" className={styles.section}>
      <SectionHead id="password" title="Password" />
      <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
        {/* Shows a password manager the login's name. */}
        <input type="text" value={operator.username} autoComplete="username" readOnly hidden />
        <TextField
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          error={currentPassword}
        />
        <TextField
          name="newPassword"
          label="New password"
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          required
          hint={
            newPassword === undefined &&
            'At least 12 characters. A sentence of your own is good; common words and rows of ' +
              'keys are refused.'
          }
          error={newPassword}
        />
        <label className={dialogStyles.tick}>
          <input
            type="checkbox"
            checked={isShown}
            onChange={(event) => setShown(event.target.checked)}
          />
          Show the new password
        </label>
        <Button type="submit" look="line" pending={isPending} pendingLabel="Changing...">
          Change password
        </Button>
      </form>
    </section>
  );
}

/** Lists the owner's emails, and sends a test email. */
function TestMail() {
  const { send, failure, isPending } = useCall('POST /api/admin/mail/test', {
    onDone: ({ to }) =>
      void toasts.add({ title: 'Test email sent', description: `To ${to.join(', ')}` }),
  });
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
