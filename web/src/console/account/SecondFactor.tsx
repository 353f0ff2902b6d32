import type { AccountAnswer } from '@site/schema/calls/account';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { useCall } from '../session/use-call.ts';
import styles from './AccountView.module.css';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx';

type SecondFactorProps = { state: AccountAnswer['secondFactor']; onChanged: () => void };

/** The operator's second factor: turns it on, replaces the app or the recovery codes, and turns it off. */
export function SecondFactor({ state, onChanged }: SecondFactorProps) {
  const [isSettingUp, setSettingUp] = useState(false);
  const [password, setPassword] = useState('');
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const finish = () => {
    setSettingUp(false);
    setRecoveryCodes(undefined);
    onChanged();
  };
  const renewing = useCall('POST /api/admin/account/second-factor/recovery-codes', {
    onDone(answer) {
      setRecoveryCodes(answer.recoveryCodes);
      setPassword('');
    },
  });
  const removing = useCall('POST /api/admin/account/second-factor/remove', {
    onDone() {
      setPassword('');
      onChanged();
    },
  });
  const isPending = renewing.isPending || removing.isPending;

  return (
    <section aria-labelledby="second-factor" className={styles.section}>
      <SectionHead id="second-factor" title="Two-step login" />
      {isSettingUp ? (
        <SecondFactorSetUp onDone={finish} onCancel={() => setSettingUp(false)} />
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
                label="Your password"
                type="password"
                autoComplete="current-password"
                error={renewing.fault ?? removing.fault}
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
              <div className={styles.buttons}>
                <Button
                  look="line"
                  type="submit"
                  pending={isPending}
                  onClick={() => {
                    removing.reset();
                    void renewing.send({ body: { password } });
                  }}
                >
                  Replace the recovery codes
                </Button>
                {!state.isRequired && (
                  <Button
                    look="line"
                    pending={isPending}
                    onClick={() => {
                      renewing.reset();
                      void removing.send({ body: { password } });
                    }}
                  >
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
  if (!isOn) return 'Off. With two-step login, a stolen password is not enough to log in.';
  const left = `${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.`;
  return `On: an authenticator app. ${left}${isRequired ? ' Every operator needs it here.' : ''}`;
}
