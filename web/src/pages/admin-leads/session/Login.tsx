import { zodResolver } from '@hookform/resolvers/zod';
import { loginBody } from '@site/schema/admin';
import type { LoginBody } from '@site/schema/admin';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { HttpError } from '../../../http.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { FailedIcon } from '../../../ui/icons.tsx';
import { describeFault, readProblemMessage } from '../api/call-fault.ts';
import { EntryPage } from './EntryPage.tsx';
import styles from './Login.module.css';

type LoginProps = {
  /** The session ended under the operator's hands. */
  hasEnded: boolean;
  onLogIn: (credentials: LoginBody) => Promise<void>;
};

/** The login, in the place of the console. Both names are kept on a refusal; only the password is asked again. */
export function Login({ hasEnded, onLogIn }: LoginProps) {
  const { register, handleSubmit, setError, setFocus, resetField, formState } = useForm<LoginBody>({
    resolver: zodResolver(loginBody),
    defaultValues: { username: '', password: '' },
  });
  const { errors, isSubmitting } = formState;
  // Also where the session ends under someone's hands: what they type next is the login.
  useEffect(() => setFocus('username'), [setFocus]);

  const logIn = handleSubmit(async (credentials) => {
    try {
      await onLogIn(credentials);
    } catch (error) {
      if (isWrong(error)) resetField('password');
      setError('root', { message: describeRefusal(error) });
      setFocus('password');
    }
  });

  return (
    <EntryPage title="Log in">
      <form className={styles.form} onSubmit={(event) => void logIn(event)} noValidate>
        {hasEnded ? (
          <p className={styles.note} role="alert">
            Your session has ended. Log in to go on where you were.
          </p>
        ) : (
          <p className={styles.note}>The console for leads and their way to Beehiiv.</p>
        )}
        <TextField
          label="Username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...register('username')}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password')}
        />
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
      </form>
    </EntryPage>
  );
}

function isWrong(error: unknown): boolean {
  return error instanceof HttpError && (error.status === 401 || error.status === 422);
}

function describeRefusal(error: unknown): string {
  if (isWrong(error)) return 'Wrong username or password.';
  if (error instanceof HttpError && error.status === 429) {
    const when = /\btry again\b.*/iu.exec(readProblemMessage(error.body) ?? '')?.[0];
    return `Too many failed logins. ${when ?? 'Wait a quarter of an hour, then try again.'}`;
  }
  return describeFault(error);
}
