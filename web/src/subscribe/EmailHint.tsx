import { useState } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import type { Control } from 'react-hook-form';
import { suggestEmail } from './email-hint.ts';
import styles from './SubscribeDialog.module.css';
import type { FormValues } from '@site/schema/form-fields';

type EmailHintProps = { control: Control<FormValues>; onAccept: (email: string) => void };

/** Suggests the intended address once the field has been left, or the form sent. */
export function EmailHint({ control, onAccept }: EmailHintProps) {
  const email = useWatch({ control, name: 'email' });
  const { touchedFields, isSubmitted } = useFormState({ control, name: 'email' });
  const [refused, setRefused] = useState('');
  const suggestion = (touchedFields.email || isSubmitted) && email !== refused ? suggestEmail(email) : null;
  if (!suggestion) return null;
  return (
    <p>
      Did you mean{' '}
      <button
        type="button"
        className={styles.suggestion}
        onClick={() => {
          setRefused(suggestion);
          onAccept(suggestion);
        }}
      >
        {suggestion}
      </button>
      ?
    </p>
  );
}
