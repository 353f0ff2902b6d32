import type { LoginBody } from '@site/schema/calls/account';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { HttpError } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FailedIcon } from '../../ui/icons.tsx';
import { describeFault, readProblemKind, readProblemMessage } from '../api/call-fault.ts';
import { EntryPage } from './EntryPage.tsx';
import styles from './Login.module.css';

type LoginProps = {
  /** The session ended without the operator logging out. */
  hasEnded: boolean;
  onLogIn: (credentials: LoginBody) => Promise<void>;
};

/** The login, in place of the console. After a wrong password only the password has to be typed again. */
export function Login({ hasEnded, onLogIn }: LoginProps) {
  const { register, handleSubmit, setError, setFocus, resetField, formState } = useForm<LoginBody>({
    defaultValues: { username: '', password: '' },
  });
  const { errors, isSubmitting } = formState;
  const [isCodeAsked, setCodeAsked] = useState(false);
  // Also when a session ends while the operator is working.
  useEffect(() => setFocus('username'), [setFocus]);

  const logIn = handleSubmit(async (credentials) => {
    try {
      await onLogIn(credentials);
    } catch (error) {
      const kind = readProblemKind(error);
      if (kind === 'second-factor-needed') return setCodeAsked(true);
      const isCode = kind === 'second-factor-wrong';
      const field = isCode ? 'code' : 'password';
      // A recovery code is long, and may have one wrong letter.
      if (isWrong(error) && !isCode) resetField(field);
      setError(isCode ? 'code' : 'root', {
        message: isCode
          ? 'Wrong code. Check what you typed. If it was used already, enter the next one.'
          : describeLoginFault(error),
      });
      setFocus(field, { shouldSelect: true });
    }
  });
  useEffect(() => {
    if (isCodeAsked) setFocus('code');
  }, [isCodeAsked, setFocus]);

  return (
    <EntryPage title="Log in">
      <form className={styles.form} onSubmit={(event) => void logIn(event)} noValidate>
        {hasEnded ? (
          <p className={styles.note} role="alert">
            Your session has ended. Log in to continue where you left off.
          </p>
        ) : (
          <p className={styles.note}>The newsletter’s leads, payments and people.</p>
        )}
        <TextField
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...register('username', { required: 'Required' })}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password', { required: 'Required' })}
        />
        {isCodeAsked && (
          <TextField
            label="Code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            hint="The six digits in your authenticator app, or a recovery code."
            error={errors.code?.message}
            {...register('code')}
          />
        )}
        <div role="alert">
          {errors.root && (
            <p className={styles.refusal}>
              <FailedIcon />
              <span>{errors.root.message}</span>
            </p>
          )}
        </div>
        <Button type="submit" pending={isSubmitting} pendingLabel="Logging in..." wide>
          Log in
        </Button>
        <p className={styles.note}>
          Forgotten your password? The person who runs the site can set a new one.
        </p>
      </form>
    </EntryPage>
  );
}

function isWrong(error: unknown): boolean {
  return error instanceof HttpError && (error.status === 401 || error.status === 422);
}

function describeLoginFault(error: unknown): string {
  if (isWrong(error)) return 'Wrong username or password.';
  if (error instanceof HttpError && error.status === 429) {
    return readProblemMessage(error) ?? 'Too many failed logins. Wait 15 minutes, then try again.';
  }
  return describeFault(error);
}
