import { FORM_FIELD_NAMES, FORM_FIELDS } from '@site/schema/form-fields';
import type { FormField, FormValues } from '@site/schema/form-fields';
import type { ComponentProps, ReactNode } from 'react';
import { TextField } from '../ui/Field.tsx';
import { Honeypot } from './Honeypot.tsx';
import styles from './SubscribeForm.module.css';

const REQUIRED = FORM_FIELD_NAMES.filter((field) => 'required' in FORM_FIELDS[field].input);
const OPTIONAL = FORM_FIELD_NAMES.filter((field) => !REQUIRED.includes(field));

type SubscribeFieldsProps = {
  errors: Partial<FormValues>;
  /** The suggested email. */
  meant?: ReactNode;
  inputOf: (field: FormField) => ComponentProps<'input'>;
};

/** Renders the visitor's fields, and one that only a bot fills in. */
export function SubscribeFields({ errors, meant, inputOf }: SubscribeFieldsProps) {
  const fieldOf = (field: FormField) => {
    const error = errors[field];
    const hint = field === 'email' && meant && <span>Did you mean {meant}?</span>;
    return (
      <TextField
        key={field}
        name={field}
        {...inputOf(field)}
        {...FORM_FIELDS[field].input}
        error={
          error &&
          (hint ? (
            <>
              {error}. {hint}
            </>
          ) : (
            error
          ))
        }
        hint={!error && hint}
      />
    );
  };
  return (
    <>
      {REQUIRED.map(fieldOf)}
      <div className={styles.optional}>{OPTIONAL.map(fieldOf)}</div>
      <Honeypot />
    </>
  );
}
