import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import { focusFault } from '../shared/focus-fault.ts';
import { TextField } from '../../ui/Field.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { useSession } from '../session/session.tsx';
import { useCall } from '../session/use-call.ts';
import styles from './AccountView.module.css';

/** Changes the operator's own password. */
export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const { operator } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [isShown, setShown] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const { send, fault, fieldFaults, isPending } = useCall('POST /api/admin/account/password', {
    onDone() {
      setCurrent('');
      setNext('');
      setChanged(true);
      onChanged();
    },
  });
  const {
    newPassword: ofNew,
    currentPassword: ofCurrent = ofNew === undefined ? fault : undefined,
  } = fieldFaults;
  return (
    <section aria-labelledby="password" className={styles.section}>
      <SectionHead id="password" title="Password" />
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setChanged(false);
          const form = event.currentTarget;
          void send({ body: { currentPassword: current, newPassword: next } }).then(() =>
            focusFault(form),
          );
        }}
      >
        {/* Tells a password manager which login this is. */}
        <input type="text" value={operator.username} autoComplete="username" readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          error={ofCurrent}
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <TextField
          label="New password"
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          required
          hint={
            ofNew === undefined &&
            'At least 12 characters. A sentence of your own is good; common words and rows of keys are refused.'
          }
          error={ofNew}
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
        <label className={dialogStyles.tick}>
          <input
            type="checkbox"
            checked={isShown}
            onChange={(event) => setShown(event.target.checked)}
          />
          Show the new password
        </label>
        <CallButton type="submit" look="line" pending={isPending} pendingLabel="Changing...">
          Change password
        </CallButton>
      </form>
      <output>{isChanged && 'The password is changed. Your other sessions are over.'}</output>
    </section>
  );
}
