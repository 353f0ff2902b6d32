import { useFormState, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { suggestEmail } from './email-hint.ts';
import styles from './SubscribeDialog.module.css';
import type { FormValues } from '@site/schema/form-fields';

type EmailHintProps = { control: Control<FormValues>; fault: string | undefined; onAccept: (email: string) => void };

/** Says what is wrong, and suggests the intended address once the field has been left, or the form sent. */
export function EmailHint({ control, fault, onAccept }: EmailHintProps) {
  const email = useWatch({ control, name: 'email' });
  const { touchedFields, isSubmitted } = useFormState({ control, name: 'email' });
  const suggestion = touchedFields.email || isSubmitted ? suggestEmail(email) : null;
  if (!suggestion) return fault;
  return (
    <span>
      {fault && `${fault}. `}
      Did you mean{' '}
      <button type="button" className={styles.suggestion} onClick={() => onAccept(suggestion)}>
        {suggestion}
      </button>
      ?
    </span>
  );
}
