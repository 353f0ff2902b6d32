import type { DeliveryAddressAnswer, LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../elements/DialogForm.tsx';
import styles from '../elements/dialog.module.css';
import { EmailField } from '../elements/EmailField.tsx';
import { useConfirmedCall } from './use-confirmed-call.ts';

type DeliveryDialogProps = {
  subscription: LeadSubscription;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** Asks who gets the paid issue, and says what happened in Stripe and what Beehiiv is asked to do. */
export function DeliveryDialog({ subscription, isOpen, onClose, onDone }: DeliveryDialogProps) {
  const { stripeSubscriptionId, email: payer, deliveryEmail } = subscription;
  const [email, setEmail] = useState(deliveryEmail);
  const [correctsPayer, setCorrectsPayer] = useState(false);
  const [done, setDone] = useState<DeliveryAddressAnswer>();
  const { send, fault, isPending } = useConfirmedCall(
    'POST /api/admin/subscriptions/:id/delivery-address',
    (answer) => {
      setDone(answer);
      onDone();
    },
  );
  const close = () => {
    setDone(undefined);
    onClose();
  };
  return (
    <Dialog open={isOpen} onClose={close} className={styles.dialog}>
      <DialogTitle className={styles.title}>Change the address?</DialogTitle>
      {done ? (
        <>
          <output className={styles.words}>{describeChange(done)}</output>
          <div className={styles.actions}>
            <Button look="line" onClick={close}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <DialogForm
          submit="Change"
          isPending={isPending}
          onSubmit={() => void send({ params: { id: stripeSubscriptionId }, body: { email, correctsPayer } })}
          onDismiss={close}
        >
          <p className={styles.words}>
            <bdi>{payer}</bdi> pays. The paid issue goes to <bdi>{deliveryEmail}</bdi>.
          </p>
          <EmailField label="New address" value={email} error={fault} onChange={setEmail} />
          <label className={styles.tick}>
            <input
              type="checkbox"
              checked={correctsPayer}
              onChange={(event) => setCorrectsPayer(event.target.checked)}
            />
            The payer’s address was mistyped: correct it in Stripe too
          </label>
        </DialogForm>
      )}
    </Dialog>
  );
}

/** What has happened, in sentences. */
function describeChange({ payerEmail, deliveryEmail, stripe, beehiiv }: DeliveryAddressAnswer): string {
  const sentences = [
    `${payerEmail} pays, and the paid issue goes to ${deliveryEmail}.`,
    stripe === 'customer-email-changed' ? 'Stripe has the new address.' : 'Nothing changed in Stripe.',
    beehiiv.isTierConfirmed
      ? `Beehiiv has the tier ${beehiiv.tier}.`
      : `Beehiiv is asked for the tier ${beehiiv.tier}.`,
    beehiiv.isUnsubscribing ? 'Beehiiv is asked to unsubscribe the mistyped address.' : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
