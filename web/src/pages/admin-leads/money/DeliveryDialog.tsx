import { deliveryAddressAnswer } from '@site/schema/money';
import type { DeliveryAddressAnswer, LeadSubscription } from '@site/schema/money';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import styles from '../elements/dialog.module.css';
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
    `/api/admin/subscriptions/${stripeSubscriptionId}/delivery-address`,
    (answer) => {
      setDone(deliveryAddressAnswer.parse(answer));
      onDone();
    },
  );
  const close = () => {
    setDone(undefined);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send({ email, correctsPayer });
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
        <form noValidate onSubmit={submit}>
          <p className={styles.words}>
            <bdi>{payer}</bdi> pays. The paid issue goes to <bdi>{deliveryEmail}</bdi>.
          </p>
          <TextField
            label="New address"
            type="email"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            value={email}
            error={fault}
            onChange={(event) => setEmail(event.target.value)}
          />
          <label className={styles.tick}>
            <input
              type="checkbox"
              checked={correctsPayer}
              onChange={(event) => setCorrectsPayer(event.target.checked)}
            />
            The payer’s address was mistyped: correct it in Stripe too
          </label>
          <div className={styles.actions}>
            <Button type="submit" pending={isPending}>
              Change
            </Button>
            <Button look="line" onClick={close}>
              Keep it
            </Button>
          </div>
        </form>
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
