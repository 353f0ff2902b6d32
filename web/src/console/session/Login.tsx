import type { LoginBody } from '@site/schema/calls/account';
import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { HttpError } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { FailedIcon } from '../../ui/icons.tsx';
import { toFailureText, readProblemKind } from '../api/failure.ts';
import { EntryPage } from './EntryPage.tsx';
import styles from './Login.module.css';

type Field = 'username' | 'password' | 'code';
const WRONG_CODE = 'Wrong code. Check what you typed. If it was used already, enter the next one.';

type LoginProps = {
  /** The session ended without the operator logging out. */
  hasEnded: boolean;
  onLogIn: (credentials: LoginBody) => Promise<void>;
};

/**
 * Renders the login in place of the console. After a wrong password only the password must be typed
 * again.
 */
export function Login({ hasEnded, onLogIn }: LoginProps) {
  const form = useRef<HTMLFormElement>(null);
  const [failure, setFailure] = useState<{ at: Field | 'form'; text: string }>();
  const [isCodeAsked, setCodeAsked] = useState(false);
  const [isPending, setPending] = useState(false);
  const errorOf = (field: Field) => (failure?.at === field ? failure.text : undefined);
  useEffect(() => focusField(form.current, isCodeAsked ? 'code' : 'username'), [isCodeAsked]);

  async function logIn(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.currentTarget)) as LoginBody;
    const missing = (['username', 'password'] as const).find((field) => given[field] === '');
    setFailure(missing && { at: missing, text: 'Required' });
    if (missing) return focusField(form.current, missing);
    setPending(true);
    try {
      await onLogIn(given);
    } catch (error) {
      setPending(false);
      const kind = readProblemKind(error);
      if (kind === 'two-step-login-needed') return setCodeAsked(true);
      if (kind === 'two-step-login-wrong') {
        setFailure({ at: 'code', text: WRONG_CODE });
        // A recovery code is long, and may have a single wrong letter.
        return focusField(form.current, 'code');
      }
      const isWrong = error instanceof HttpError && [401, 422].includes(error.status);
      const text = isWrong ? 'Wrong username or password.' : toFailureText(error);
      setFailure({ at: 'form', text });
      focusField(form.current, 'password', isWrong);
    }
  }

  return (
    <EntryPage title="Log in">
      <form ref={form} className={styles.form} onSubmit={(event) => void logIn(event)} noValidate>
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
          name="username"
          error={errorOf('username')}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          name="password"
          error={errorOf('password')}
        />
        {isCodeAsked && (
          <TextField
            label="Code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            hint="The six digits in your authenticator app, or a recovery code."
            name="code"
            error={errorOf('code')}
          />
        )}
        <div role="alert">
          {failure?.at === 'form' && (
            <p className={styles.refusal}>
              <FailedIcon />
              <span>{failure.text}</span>
            </p>
          )}
        </div>
        <Button type="submit" pending={isPending} pendingLabel="Logging in...">
          Log in
        </Button>
        <p className={styles.note}>
          Forgotten your password? The person who runs the site can set a new one.
        </p>
      </form>
    </EntryPage>
  );
}

function focusField(form: HTMLFormElement | null, field: Field, isCleared = false): void {
  const input = form?.elements.namedItem(field);
  if (!(input instanceof HTMLInputElement)) return;
  if (isCleared) input.value = '';
  input.focus();
  input.select();
}
