import type { SecondFactorAnswer } from '@site/schema/calls/account';
import { useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { toUrl } from '../../http.ts';
import { focusFault } from '../shared/focus.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useCall } from '../session/use-call.ts';
import styles from './AccountView.module.css';
import { QrCode } from './QrCode.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type SecondFactorSetUpProps = {
  onDone: () => void;
  /** Absent where it has to be set up. */
  onCancel?: () => void;
};

/** Sets an authenticator app up: the password again, the key for the app, a code of the app, the recovery codes. */
export function SecondFactorSetUp({ onDone, onCancel }: SecondFactorSetUpProps) {
  const [password, setPassword] = useState('');
  const [offered, setOffered] = useState<SecondFactorAnswer>();
  const [code, setCode] = useState('');
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();

  const field = useRef<HTMLInputElement>(null);
  const isChosen = onCancel !== undefined;
  useEffect(() => {
    if (offered || isChosen) field.current?.focus();
    // On a low screen the field would push the code to scan out of sight.
    field.current?.form?.querySelector('svg')?.scrollIntoView({ block: 'nearest' });
  }, [offered, isChosen]);

  const starting = useCall('POST /api/admin/account/second-factor/start', {
    onDone(answer) {
      setOffered(answer);
      setPassword('');
    },
  });
  const { mutate } = useSWRConfig();
  const confirming = useCall('POST /api/admin/account/second-factor/confirm', {
    onDone(answer) {
      setRecoveryCodes(answer.recoveryCodes);
      // Without those that have ended.
      void mutate(toUrl('GET /api/admin/account'));
    },
  });

  const send = async (form: HTMLFormElement) => {
    if (
      await (offered ? confirming.send({ body: { code } }) : starting.send({ body: { password } }))
    )
      return;
    setCode('');
    focusFault(form);
  };

  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
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
            ref={field}
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
            required
            hint="The six digits that the app shows now. Your other sessions end."
            error={confirming.fault}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </>
      ) : (
        <TextField
          key="password"
          ref={field}
          label="Your password"
          type="password"
          autoComplete="current-password"
          required
          hint="Enter it again. The code to scan comes next."
          error={starting.fault}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
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
