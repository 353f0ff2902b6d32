import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { isSameAddress } from '@site/schema/email';
import { useState } from 'react';
import { toasts } from '../../../ui/toast-store.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { EmailField } from '../../shared/EmailField.tsx';
import { useCall } from '../../session/use-call.ts';

type AddressDialogProps = {
  /** Who does not receive: the payer, or somebody who reads with the subscription. */
  person: { email: string; leadId: string | null };
  subscription: LeadSubscription;
  onClose: () => void;
  onDone: () => void;
};

/** Corrects the email of a subscription, or of somebody who reads with it. */
export function AddressDialog({ person, subscription, onClose, onDone }: AddressDialogProps) {
  const [email, setEmail] = useState(person.email);
  const [isAsked, setAsked] = useState(false);
  const isPayer = isSameAddress(person.email, subscription.email);
  const done = () => {
    toasts.add({ title: 'Address corrected', description: email });
    onDone();
    onClose();
  };
  const payer = useCall('POST /api/admin/subscriptions/:id/address', { onDone: done });
  const reader = useCall('POST /api/admin/leads/:id/correct', { onDone: done });
  const { fault, isPending } = isPayer ? payer : reader;
  const isSame = isSameAddress(email, person.email);
  const correct = () => {
    setAsked(true);
    if (isSame) return;
    if (isPayer) {
      void payer.send({ params: { id: subscription.stripeSubscriptionId }, body: { email } });
    } else if (person.leadId !== null)
      void reader.send({ params: { id: person.leadId }, body: { email } });
  };
  return (
    <ConfirmDialog
      title="Correct the address?"
      person={person.email}
      submit="Change"
      isPending={isPending}
      onSubmit={correct}
      onClose={onClose}
    >
      <p className={styles.words}>
        Future issues go to the new address{isPayer && ', and so do invoices'}.
      </p>
      <EmailField
        label="New address"
        value={email}
        error={isAsked && isSame ? 'They have this address already.' : fault}
        onChange={setEmail}
      />
    </ConfirmDialog>
  );
}
