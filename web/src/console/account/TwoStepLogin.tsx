import type { AccountAnswer, TwoStepLoginAnswer } from '@site/schema/calls/account';
import type { CallAnswer } from '@site/schema/calls/calls';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { EntryPage } from '../session/EntryPage.tsx';
import { useDraft, useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { copyText, lineButton, LinkButton } from '../shared/fields.tsx';
import { focusFailure } from '../shared/focus.ts';
import { countOf } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import styles from './AccountView.module.css';
import { QrCode } from './QrCode.tsx';

type RecoveryCodesAnswer = CallAnswer<'POST /api/admin/account/two-step-login/confirm'>;
type TwoStepLoginProps = { state: AccountAnswer['twoStepLogin']; onChanged: () => void };

/**
 * Turns the operator's two-step login on, replaces the app or the recovery codes, and turns it off.
 */
export function TwoStepLogin({ state, onChanged }: TwoStepLoginProps) {
  const [open, setOpen] = useState<'set-up' | 'renew' | 'remove'>();
  const [codes, setCodes] = useDraft('codes');
  const close = () => setOpen(undefined);
  const showCodes = (answer: RecoveryCodesAnswer) => {
    close();
    setCodes(answer.recoveryCodes.join('\n'));
    onChanged();
  };
  const renewing = useCall('POST /api/admin/account/two-step-login/recovery-codes', {
    onDone: showCodes,
  });
  const removing = useCall('POST /api/admin/account/two-step-login/remove', {
    onDone() {
      close();
      toasts.add({ title: 'Two-step login is off' });
      onChanged();
    },
  });

  return (
    <section aria-labelledby="two-step-login" className={styles.section}>
      <SectionHead id="two-step-login" title="Two-step login" />
      {open === 'set-up' ? (
        <SetUpApp onDone={showCodes} onCancel={close} />
      ) : codes ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes('')} />
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

function describe({ isOn, isRequired, recoveryCodesLeft }: AccountAnswer['twoStepLogin']): string {
  if (!isOn) return 'Off. With two-step login, a stolen password is not enough to log in.';
  const left = `${countOf(recoveryCodesLeft, 'recovery code')} left.`;
  return `On: an authenticator app. ${left}${isRequired ? ' Every operator needs it here.' : ''}`;
}

type PasswordDialogProps = {
  title: string;
  submit: string;
  call: {
    send: (request: { body: { password: string } }) => Promise<unknown>;
    failure: string | undefined;
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
        error={call.failure}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </ConfirmDialog>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();

type SetUpAppProps = {
  onDone: (answer: RecoveryCodesAnswer) => void;
  /** Absent if the set-up is required. */
  onCancel?: () => void;
};

/**
 * Sets an authenticator app up: the password again, then the key for the app and a code from it.
 */
function SetUpApp({ onDone, onCancel }: SetUpAppProps) {
  const [offered, setOffered] = useState<TwoStepLoginAnswer>();
  const starting = useCall('POST /api/admin/account/two-step-login/start', { onDone: setOffered });
  const confirming = useCall('POST /api/admin/account/two-step-login/confirm', { onDone });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form).get('given') as string;
    const isDone = offered
      ? await confirming.send({ body: { code: given } })
      : await starting.send({ body: { password: given } });
    if (isDone) return;
    form.reset();
    focusFailure(form);
  };
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      {offered ? (
        <>
          <p>
            Scan this with your authenticator app.{' '}
            <span className={styles.touch}>
              On a phone, <a href={offered.otpauthUri}>open the app</a> instead.
            </span>
          </p>
          <div className={styles.offer}>
            <QrCode
              text={offered.otpauthUri}
              name="QR code for your authenticator app, with the key shown here"
            />
            <div>
              <p>If you cannot scan it, enter this key:</p>
              <p className={styles.key}>
                <code>{offered.secret.match(/.{1,4}/gu)?.join(' ')}</code>
              </p>
            </div>
          </div>
          <TextField
            key="code"
            ref={takeFocus}
            name="given"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            required
            hint="The six digits that the app shows now. Your other sessions end."
            error={confirming.failure}
          />
        </>
      ) : (
        <TextField
          key="password"
          ref={takeFocus}
          name="given"
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          hint="Enter it again. The code to scan comes next."
          error={starting.failure}
        />
      )}
      <div className={styles.buttons}>
        <Button
          type="submit"
          pending={starting.isPending || confirming.isPending}
          pendingLabel="Checking..."
        >
          {offered ? 'Turn on' : 'Continue'}
        </Button>
        {onCancel && (
          <Button look="line" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** Shows recovery codes, for the only time. */
function RecoveryCodes({ codes, onDone }: { codes: string; onDone: () => void }) {
  return (
    <div className={styles.section}>
      <h3 ref={takeFocus} tabIndex={-1}>
        Your recovery codes
      </h3>
      <p>
        Each lets you log in once without your phone. They are shown only now: keep them where you
        keep passwords, not on the phone.
      </p>
      <ul className={styles.codes}>
        {codes.split('\n').map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button
          look="line"
          size="small"
          onClick={() => void copyText(codes, 'The recovery codes are on the clipboard.')}
        >
          Copy
        </Button>
        <Button look="line" size="small" onClick={() => window.print()}>
          Print
        </Button>
        <a
          className={lineButton}
          download="recovery-codes.txt"
          href={`data:text/plain,${encodeURIComponent(codes)}`}
        >
          Download
        </a>
        <Button size="small" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}

/** Takes the console's place until an operator has set up the required two-step login. */
export function RequiredSetUp() {
  const { logOut, reload } = useSession();
  const [codes, setCodes] = useDraft('codes');
  return (
    <EntryPage title="Set up two-step login">
      <p>
        Every operator needs an authenticator app here, such as the one of your password manager or
        phone.
      </p>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={() => void reload().then(() => setCodes(''))} />
      ) : (
        <SetUpApp onDone={(answer) => setCodes(answer.recoveryCodes.join('\n'))} />
      )}
      <p>
        <LinkButton onClick={() => void logOut()}>Log out</LinkButton>
      </p>
    </EntryPage>
  );
}
