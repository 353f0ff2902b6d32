import { useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FailureIcon } from './icons.tsx';
import styles from './Field.module.css';

/** The attributes that link a control to its label and error. */
export type FieldControl = {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
};

type FieldProps = {
  label: string;
  note?: string | undefined;
  error?: ReactNode;
  /** Shown below the control, after an error. */
  hint?: ReactNode;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
};

/** Renders a label, a control, and its error or hint below. */
export function Field({ label, note, error, hint, className, children }: FieldProps) {
  const id = useId();
  const messageId = `${id}-message`;
  const hasMessage = Boolean(error) || Boolean(hint);
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={id}>
        {label}
        {note && <span className={styles.note}> {note}</span>}
      </label>
      {children({
        id,
        className: styles.control,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': hasMessage ? messageId : undefined,
      })}
      <div
        id={messageId}
        className={hasMessage ? `note ${styles.message}` : undefined}
        aria-live="polite"
      >
        {error && (
          <p className={styles.error}>
            <FailureIcon />
            <span>{error}</span>
          </p>
        )}
        {hint}
      </div>
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<'input'>, 'children' | 'className'>;

export function TextField({ label, note, error, hint, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} note={note} error={error} hint={hint} className={className}>
      {(control) => <input {...input} {...control} />}
    </Field>
  );
}
