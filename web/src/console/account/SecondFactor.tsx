import type { AccountAnswer } from '@site/schema/calls/account';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { useCall } from '../session/use-call.ts';
import styles from './AccountView.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';

type SecondFactorProps = { state: AccountAnswer['secondFactor']; onChanged: () => void };

/** The operator's second factor: turns it on, replaces the app or the recovery codes, and turns it off. */
export function SecondFactor({ state, onChanged }: SecondFactorProps) {
  const [open, setOpen] = useState<'set-up' | 'renew' | 'remove'>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const close = () => setOpen(undefined);
  const finish = () => {
    close();
    setRecoveryCodes(undefined);
    onChanged();
  };
  const renewing = useCall('POST /api/admin/account/second-factor/recovery-codes', {
    onDone(answer) {
      close();
      setRecoveryCodes(answer.recoveryCodes);
    },
  });
  const removing = useCall('POST /api/admin/account/second-factor/remove', {
    onDone() {
      finish();
      toasts.add({ title: 'Two-step login is off' });
    },
  });

  return (
    <section aria-labelledby="second-factor" className={styles.section}>
      <SectionHead id="second-factor" title="Two-step login" />
      {open === 'set-up' ? (
        <SecondFactorSetUp onDone={finish} onCancel={close} />
      ) : recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} onDone={finish} />
      ) : (
        <>
          <p>{describe(state)}</p>
          <div className={styles.buttons}>
            <Button look="line" onClick={() => setOpen('set-up')}>
              {state.isOn ? 'Use another app…' : 'Set up an authenticator app…'}
            </Button>
            {state.isOn && (
              <Button look="line" onClick={() => setOpen('renew')}>
                Replace the recovery codes…
              </Button>
            )}
            {state.isOn && !state.isRequired && (
              <Button look="line" onClick={() => setOpen('remove')}>
                Turn off…
              </Button>
            )}
          </div>
        </>
      )}
      {open === 'renew' && (
        <PasswordDialog
          title="Replace the recovery codes?"
          submit="Replace them"
          call={renewing}
          onClose={close}
        >
          Your present codes stop working. You get ten new ones.
        </PasswordDialog>
      )}
      {open === 'remove' && (
        <PasswordDialog
          title="Turn off two-step login?"
          submit="Turn off"
          call={removing}
          onClose={close}
        >
          Then the password alone is enough to log in. Your other sessions end.
        </PasswordDialog>
      )}
    </section>
  );
}

type PasswordDialogProps = {
  title: string;
  submit: string;
  call: {
    send: (request: { body: { password: string } }) => Promise<unknown>;
    fault: string | undefined;
    isPending: boolean;
    reset: () => void;
  };
  onClose: () => void;
  children: string;
};

/** Asks for the password before a call that needs it. */
function PasswordDialog({ title, submit, call, onClose, children }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  return (
    <ConfirmDialog
      title={title}
      submit={submit}
      isPending={call.isPending}
      onSubmit={() => call.send({ body: { password } })}
      onClose={() => {
        call.reset();
        onClose();
      }}
    >
      <p>{children}</p>
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        error={call.fault}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ConfirmDialog>
  );
}

function describe({ isOn, isRequired, recoveryCodesLeft }: AccountAnswer['secondFactor']): string {
  if (!isOn) return 'Off. With two-step login, a stolen password is not enough to log in.';
  const left = `${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.`;
  return `On: an authenticator app. ${left}${isRequired ? ' Every operator needs it here.' : ''}`;
}
