import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.tsx';
import styles from './dialog.module.css';

type DialogFormProps = {
  /** What the button that sends says. */
  submit: string;
  look?: 'solid' | 'danger';
  isPending: boolean;
  /** A fault that belongs to no field. */
  fault?: string | undefined;
  /** What the button that sends nothing says. */
  dismiss?: string;
  onSubmit: () => void;
  onDismiss: () => void;
  children: ReactNode;
};

/** What a dialog asks for, and its two buttons. */
export function DialogForm({
  submit,
  look = 'solid',
  isPending,
  fault,
  dismiss = 'Keep it',
  onSubmit,
  onDismiss,
  children,
}: DialogFormProps) {
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {fault !== undefined && <p role="alert">{fault}</p>}
      <div className={styles.actions}>
        <Button type="submit" look={look} pending={isPending}>
          {submit}
        </Button>
        <Button look="line" onClick={onDismiss}>
          {dismiss}
        </Button>
      </div>
    </form>
  );
}
