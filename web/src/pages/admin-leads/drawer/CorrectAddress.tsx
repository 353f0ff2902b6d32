import { leadCorrectionAnswer } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { postJson } from '../../../http.ts';
import { suggestEmail } from '../../../subscribe/email-hint.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { describeFault, isSignedOut } from '../call-fault.ts';
import styles from './Drawer.module.css';

type CorrectAddressProps = {
  lead: Lead;
  onDone: (newLeadId: string) => void;
  onCancel: () => void;
  onSignedOut: () => void;
};

/** The address as it was meant: a new lead with it is sent, and this one is not tried again. */
export function CorrectAddress({ lead, onDone, onCancel, onSignedOut }: CorrectAddressProps) {
  const [email, setEmail] = useState(() => suggestEmail(lead.email) ?? lead.email);
  const [fault, setFault] = useState<string>();
  const [isSaving, setSaving] = useState(false);

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    try {
      const answer = await postJson(`/api/admin/leads/${lead.id}/correct`, { email });
      onDone(leadCorrectionAnswer.parse(answer).id);
    } catch (error) {
      if (isSignedOut(error)) return onSignedOut();
      setFault(describeFault(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void save(event)}>
      <TextField
        label="Address as it was meant"
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        value={email}
        error={fault}
        onChange={(event) => setEmail(event.target.value)}
      />
      <p>A new lead with this address is sent to Beehiiv, with the same consent; this one stays as a record.</p>
      <div className={styles.formActions}>
        <Button type="submit" pending={isSaving}>
          Send with this address
        </Button>
        <Button look="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
