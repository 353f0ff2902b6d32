import type { CallRequest } from '@site/schema/calls/calls';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { EntryPage } from '../session/EntryPage.tsx';
import { useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import dialogStyles from '../shared/dialog.module.css';
import { LinkButton } from '../shared/fields.tsx';
import { focusFailure } from '../shared/focus.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './AccountView.module.css';

type PasswordBody = CallRequest<'POST /api/admin/account/password'>['body'];

/** Takes the console's place until an operator has changed their one-time password. */
export function RequiredPassword() {
  const { logOut, reload } = useSession();
  return (
    <EntryPage title="Choose a password">
      <p>You logged in with a one-time password. Choose one of your own.</p>
      <PasswordForm onChanged={() => void reload()} />
      <p>
        <LinkButton onClick={() => void logOut()}>Log out</LinkButton>
      </p>
    </EntryPage>
  );
}

/** Changes the operator's own password. */
export function PasswordForm({ onChanged }: { onChanged: () => void }) {
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
    toasts.add({ title: 'Password changed', description: 'Your other sessions have ended.' });
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
