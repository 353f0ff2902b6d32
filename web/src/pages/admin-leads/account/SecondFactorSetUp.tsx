import type { SecondFactorAnswer } from '@site/schema/calls/account';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { useSession } from '../session/session.tsx';
import styles from './AccountView.module.css';
import { QrCode } from './QrCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useAction } from './use-action.ts';

/** Sets an authenticator app up: the password again, the key for the app, a code of the app, the recovery codes. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const { call } = useSession();
  const { isPending, fault, run } = useAction();
  const [password, setPassword] = useState('');
  const [offered, setOffered] = useState<SecondFactorAnswer>();
  const [code, setCode] = useState('');
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();

  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (offered) codeField.current?.focus();
  }, [offered]);

  const start = () =>
    run(async () => {
      setOffered(await call('POST /api/admin/account/second-factor/start', { body: { password } }));
      setPassword('');
    });
  const confirm = () =>
    run(async () => {
      const answer = await call('POST /api/admin/account/second-factor/confirm', { body: { code } });
      setRecoveryCodes(answer.recoveryCodes);
    });

  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void (offered ? confirm() : start());
      }}
    >
      {offered ? (
        <>
          <p>
            Scan this with your authenticator app. On a phone, <a href={offered.otpauthUri}>open the app</a> instead.
          </p>
          <div className={styles.offer}>
            <QrCode text={offered.otpauthUri} name="QR code for your authenticator app, with the key shown here" />
            <div>
              <p>If you cannot scan it, enter this key:</p>
              <p className={styles.key}>
                <code>{offered.secret.match(/.{1,4}/gu)?.join(' ')}</code>
              </p>
            </div>
          </div>
          <TextField
            key="code"
            ref={codeField}
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            required
            hint="The six digits that the app shows now."
            error={fault}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </>
      ) : (
        <TextField
          key="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          error={fault}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      <Button type="submit" pending={isPending} pendingLabel="Checking...">
        {offered ? 'Turn on' : 'Continue'}
      </Button>
    </form>
  );
}
