import type { DeliveryAddressAnswer, LeadSubscription } from '@site/schema/calls/subscriptions';
import { isSameAddress } from '@site/schema/email';
import { useState } from 'react';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { EmailField } from '../../shared/EmailField.tsx';
import { LinkButton } from '../../shared/LinkButton.tsx';
import { useCall } from '../../session/use-call.ts';
import { changedDialog } from './ChangedDialog.tsx';

type DeliveryDialogProps = {
  subscription: LeadSubscription;
  /** Whether the payer's address is the one that is wrong, as far as is known, if an address is to be corrected. */
  isMistyped?: boolean;
  /** The payer's address is corrected by another action. */
  isElsewhere?: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** Asks who gets the paid issue, and says what happened in Stripe and what Beehiiv is asked to do. */
export function DeliveryDialog({
  subscription,
  isMistyped,
  isElsewhere = false,
  onClose,
  onDone,
}: DeliveryDialogProps) {
  const { stripeSubscriptionId, email: payer, deliveryEmail } = subscription;
  const [email, setEmail] = useState(isMistyped === undefined ? '' : deliveryEmail);
  const [correctsPayer, setCorrectsPayer] = useState(isMistyped ?? false);
  // As it was: it is loaded again once it is changed.
  const [former] = useState(deliveryEmail);
  const wasElsewhere = !isSameAddress(former, payer);
  const [isAsked, setAsked] = useState(false);
  const [done, setDone] = useState<DeliveryAddressAnswer>();
  const { send, fault, isPending } = useCall('POST /api/admin/subscriptions/:id/delivery-address', {
    onDone(answer) {
      setDone(answer);
      onDone();
    },
  });
  const isSame = !correctsPayer && isSameAddress(email, former);
  const title =
    isMistyped === undefined ? 'Send the newsletter elsewhere?' : 'Correct the address?';
  if (done) {
    return (
      <ConfirmDialog title="Changed" onClose={onClose}>
        <output className={styles.words}>{describeChange(done, former)}</output>
      </ConfirmDialog>
    );
  }
  if (!isPending && !isSameAddress(deliveryEmail, former)) {
    return (
      <ConfirmDialog title="It has changed" person={payer} onClose={onClose}>
        <p className={styles.words}>
          The issues go to <bdi>{deliveryEmail}</bdi> now.
        </p>
      </ConfirmDialog>
    );
  }
  if (!isPending && isMistyped === undefined && subscription.stage === 'ended') {
    return changedDialog(subscription, onClose);
  }
  return (
    <ConfirmDialog
      title={title}
      submit={isMistyped === undefined ? 'Send it there' : 'Change'}
      isPending={isPending}
      onSubmit={() => {
        setAsked(true);
        return isSame
          ? undefined
          : send({ params: { id: stripeSubscriptionId }, body: { email, correctsPayer } });
      }}
      onClose={onClose}
    >
      <p className={styles.words}>
        Future issues go to the new address
        {wasElsewhere && (
          <>
            , and no longer to <bdi>{former}</bdi>
          </>
        )}
        . Invoices go to {correctsPayer ? 'the new address too' : <bdi>{payer}</bdi>}.
      </p>
      <EmailField
        label="New address"
        value={email}
        error={isAsked && isSame ? 'The issues go there already.' : fault}
        onChange={setEmail}
      />
      {isMistyped === undefined && wasElsewhere && (
        <LinkButton onClick={() => setEmail(payer)}>
          Back to <bdi>{payer}</bdi>
        </LinkButton>
      )}
      {!isElsewhere && (
        <label className={styles.tick}>
          <input
            type="checkbox"
            checked={correctsPayer}
            onChange={(event) => setCorrectsPayer(event.target.checked)}
          />
          The payer’s address was mistyped: correct it in Stripe too
        </label>
      )}
    </ConfirmDialog>
  );
}

const LISTS = { premium: 'paid', free: 'free' };

/** What has happened, in sentences. */
function describeChange(
  { payerEmail, deliveryEmail, stripe, beehiiv }: DeliveryAddressAnswer,
  former: string,
): string {
  const isMoved = !beehiiv.isUnsubscribing && !isSameAddress(former, deliveryEmail);
  const sentences = [
    isSameAddress(payerEmail, deliveryEmail)
      ? `The issues go to ${payerEmail}, who pays for them.`
      : `The subscription stays with ${payerEmail}, and its issues go to ${deliveryEmail}.`,
    stripe === 'customer-email-changed'
      ? 'Stripe has the new address.'
      : 'Nothing changed in Stripe.',
    beehiiv.isTierConfirmed
      ? `${deliveryEmail} is on the ${LISTS[beehiiv.tier]} list at Beehiiv.`
      : `Beehiiv will move ${deliveryEmail} to the ${LISTS[beehiiv.tier]} list${isMoved ? `, and ${former} to the ${LISTS.free} list` : ''}.`,
    beehiiv.isUnsubscribing ? 'Beehiiv is asked to unsubscribe the mistyped address.' : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
