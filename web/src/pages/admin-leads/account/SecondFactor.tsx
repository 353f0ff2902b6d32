import type { AccountAnswer } from '@site/schema/calls/account';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { useSession } from '../session/session.tsx';
import styles from './AccountView.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';
import { useAction } from './use-action.ts';

type SecondFactorProps = { state: AccountAnswer['secondFactor']; onChanged: () => void };

/** The operator's second factor: turns it on, replaces the app or the recovery codes, and turns it off. */
export function SecondFactor({ state, onChanged }: SecondFactorProps) {
  const { call } = useSession();
  const { isPending, fault, run } = useAction();
  const [isSettingUp, setSettingUp] = useState(false);
  const [password, setPassword] = useState('');
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const finish = () => {
    setSettingUp(false);
    setRecoveryCodes(undefined);
    onChanged();
  };
  const renew = () =>
    run(async () => {
      const answer = await call('POST /api/admin/account/second-factor/recovery-codes', { body: { password } });
      setRecoveryCodes(answer.recoveryCodes);
      setPassword('');
    });
  const turnOff = () =>
    run(async () => {
      await call('POST /api/admin/account/second-factor/remove', { body: { password } });
      setPassword('');
      onChanged();
    });

  return (
    <section aria-labelledby="second-factor" className={styles.section}>
      <SectionHead id="second-factor" title="Second factor" />
      {isSettingUp ? (
        <SecondFactorSetUp onDone={finish} />
      ) : recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} onDone={finish} />
      ) : (
        <>
          <p>{describe(state)}</p>
          <div className={styles.buttons}>
            <Button look="line" onClick={() => setSettingUp(true)}>
              {state.isOn ? 'Use another app' : 'Set up an authenticator app'}
            </Button>
          </div>
          {state.isOn && (
            <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
              <TextField
                label="Password"
                type="password"
                autoComplete="current-password"
                error={fault}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
              <div className={styles.buttons}>
                <Button look="line" type="submit" pending={isPending} onClick={() => void renew()}>
                  Replace the recovery codes
                </Button>
                {!state.isRequired && (
                  <Button look="danger" pending={isPending} onClick={() => void turnOff()}>
                    Turn off
                  </Button>
                )}
              </div>
            </form>
          )}
        </>
      )}
    </section>
  );
}

function describe({ isOn, isRequired, recoveryCodesLeft }: AccountAnswer['secondFactor']): string {
  if (!isOn) return 'Off. With a second factor, a stolen password is not enough to log in.';
  const left = `${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.`;
  return `On: an authenticator app. ${left}${isRequired ? ' Every operator needs one here.' : ''}`;
}
