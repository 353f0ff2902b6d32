import { useDeferredValue, useId } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FaultIcon } from './icons.tsx';
import styles from './Field.module.css';

/** What the control inside a field needs, to be tied to its label and its error. */
export type FieldControl = {
  id: string;
  className: string | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
};

type FieldProps = {
  label: string;
  /** Said after the label, lighter. */
  note?: string | undefined;
  error?: string | undefined;
  /** Said below the control when there is no error. */
  hint?: ReactNode;
  className?: string | undefined;
  children: (control: FieldControl) => ReactNode;
};

/** A label, a control of any kind, and below it what is wrong with it in one plain sentence. */
export function Field({ label, note, error: currentError, hint, className, children }: FieldProps) {
  // An error that goes while the focus is on its way from field to field, on neither of them, makes a dialog
  // think that the focused element was removed, and take the focus to itself.
  const error = useDeferredValue(currentError);
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
      <div id={messageId} className={hasMessage ? styles.message : undefined} aria-live="polite">
        {error ? (
          <p className={styles.error}>
            <FaultIcon />
            <span>{error}</span>
          </p>
        ) : (
          hint
        )}
      </div>
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'input'>, 'children' | 'className'>;

/** A field of one line of text. */
export function TextField({ label, note, error, hint, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} note={note} error={error} hint={hint} className={className}>
      {(control) => <input {...input} {...control} />}
    </Field>
  );
}
