import type { CallAnswer } from '@site/schema/calls/calls';
import type { Lead } from '@site/schema/lead';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { suggestEmail } from '../../subscribe/email-hint.ts';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { CallButton } from '../shared/CallButton.tsx';
import { EmailField } from '../shared/EmailField.tsx';
import { useCall } from '../session/use-call.ts';
import dialogStyles from '../shared/dialog.module.css';
import styles from './Drawer.module.css';
import { OWN_ESCAPE } from './DrawerShell.tsx';

type CorrectedLead = CallAnswer<'POST /api/admin/leads/:id/correct'>;
type CorrectAddressProps = {
  lead: Lead;
  pays: boolean;
  onDone: (newLeadId: string) => void;
  onCancel: () => void;
  /** The way past it in a series. */
  children?: ReactNode;
};

/** Creates a new lead with the correct address. The old lead is kept and not retried. */
export function CorrectAddress({ lead, pays, onDone, onCancel, children }: CorrectAddressProps) {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState(() => suggestEmail(lead.email) ?? lead.email);
  const [corrected, setCorrected] = useState<CorrectedLead>();
  const finish = ({ id, stayed, keeper }: CorrectedLead, isMoved = true) => {
    const also = [
      !isMoved && `What ${listNames(stayed)} pays for stays with ${lead.email}.`,
      isMoved && pays && 'Stripe has the new one too.',
      stayed.length === 0 && keeper && `${lead.email} stays the address of ${keeper}.`,
    ].filter(Boolean);
    toasts.add({
      title: 'Address corrected',
      ...(also.length > 0 && { description: also.join(' ') }),
    });
    onDone(id);
  };
  const { send, fault, isPending, reset } = useCall('POST /api/admin/leads/:id/correct', {
    onDone: (answer) => (answer.stayed.length > 0 ? setCorrected(answer) : finish(answer)),
  });

  const correct = async () => {
    const done = await send({ params: { id: lead.id }, body: { email } });
    if (!done) form.current?.querySelector('input')?.focus();
  };

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

  if (corrected)
    return (
      <StayedSubscriptions
        corrected={corrected}
        email={email}
        onDone={(isMoved) => finish(corrected, isMoved)}
      />
    );
  return (
    <form
      ref={form}
      className={styles.form}
      noValidate
      {...{ [OWN_ESCAPE]: '' }}
      onSubmit={(event) => {
        event.preventDefault();
        void correct();
      }}
    >
      <EmailField
        label="Correct address"
        value={email}
        error={fault}
        onChange={(typed) => {
          setEmail(typed);
          reset();
        }}
      />
      <p>
        The mistyped address stays on record
        {lead.beehiivStatus === 'sent'
          ? ' and is unsubscribed unless somebody else has it'
          : ', marked Corrected'}
        , and a copy with this address
        {lead.consentTimestamp !== null && ' and the same consent'} is sent to Beehiiv.
        {pays && ' Subscriptions and payments move too, here and at Stripe.'}
      </p>
      <div className={dialogStyles.actions}>
        <CallButton type="submit" pending={isPending}>
          Correct the address
        </CallButton>
        <Button look="line" onClick={onCancel}>
          Cancel
        </Button>
        {children}
      </div>
    </form>
  );
}

type StayedProps = { corrected: CorrectedLead; email: string; onDone: (isMoved: boolean) => void };

/** Names the subscriptions of others that the mistyped address still pays for, and offers to move them. */
function StayedSubscriptions({ corrected: { stayed }, email, onDone }: StayedProps) {
  const { send, isPending } = useCall('POST /api/admin/subscriptions/:id/address', {
    failure: 'Not moved',
  });
  const move = async () => {
    for (const { stripeSubscriptionId: id } of stayed)
      if (!(await send({ params: { id }, body: { email } }))) return;
    onDone(true);
  };
  return (
    <div className={styles.form}>
      <p>
        The address is corrected. What {listNames(stayed)} pays for stays with{' '}
        <bdi>{stayed[0]?.email}</bdi>.
      </p>
      <div className={dialogStyles.actions}>
        <Button onClick={() => onDone(false)}>Leave it</Button>
        <Button look="line" pending={isPending} onClick={() => void move()}>
          Move it too
        </Button>
      </div>
    </div>
  );
}

const listNames = (stayed: CorrectedLead['stayed']) =>
  stayed.map(({ name, stripeSubscriptionId }) => name ?? stripeSubscriptionId).join(', ');
