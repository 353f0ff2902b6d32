import type { Lead } from '@site/schema/lead';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { suggestEmail } from '../../../subscribe/email-hint.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmailField } from '../elements/EmailField.tsx';
import { useCall } from '../session/use-call.ts';
import styles from './Drawer.module.css';
import { OWN_ESCAPE } from './DrawerShell.tsx';

type CorrectAddressProps = {
  lead: Lead;
  onDone: (newLeadId: string) => void;
  onCancel: () => void;
};

/** Creates a new lead with the correct address. The old lead is kept and not retried. */
export function CorrectAddress({ lead, onDone, onCancel }: CorrectAddressProps) {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState(() => suggestEmail(lead.email) ?? lead.email);
  const { send, fault, isPending } = useCall('POST /api/admin/leads/:id/correct', { onDone: ({ id }) => onDone(id) });

  const cancel = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel();
  });
  useEffect(() => {
    const element = form.current;
    const field = element?.querySelector('input');
    field?.focus();
    field?.select();
    // Wherever the focus is in the drawer.
    const drawer = element?.closest<HTMLElement>('[role="dialog"]');
    const listen = (event: KeyboardEvent) => cancel(event);
    drawer?.addEventListener('keydown', listen);
    return () => drawer?.removeEventListener('keydown', listen);
  }, []);

  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      {...{ [OWN_ESCAPE]: '' }}
      onSubmit={(event) => {
        event.preventDefault();
        void send({ params: { id: lead.id }, body: { email } });
      }}
    >
      <EmailField label="Correct address" value={email} error={fault} onChange={setEmail} />
      <p>
        A new lead with this address and the same consent is sent to Beehiiv, and the mistyped address is unsubscribed.
        What was paid for it moves too, here and at Stripe. This one stays on record.
      </p>
      <div className={styles.formActions}>
        <Button type="submit" pending={isPending}>
          Send with this address
        </Button>
        <Button look="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
