import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { useCall } from '../session/use-call.ts';
import { REMEDY_LABELS } from './difference-labels.ts';
import { PayerRemedyButton } from '../person/PayerRemedyButton.tsx';

type DifferenceRemedyProps = {
  difference: Difference;
  onAsked: () => Promise<void>;
  onChange: () => void;
};

/** What settles a difference, if anything here does. Taking the paid newsletter away asks for confirmation. */
export function DifferenceRemedy({ difference, onAsked, onChange }: DifferenceRemedyProps) {
  const {
    id,
    email,
    leadId = null,
    remedy,
    payerRemedy,
    stripeSubscriptionId,
    isRequested,
  } = difference;
  const [isConfirming, setConfirming] = useState(false);
  const { send, isPending } = useCall('POST /api/admin/differences/:id/remedy', {
    failure: 'The request failed',
    onDone: onAsked,
  });
  const resolve = () => {
    setConfirming(false);
    void send({ params: { id } });
  };
  if (isRequested) return 'Requested';
  if (remedy === null) {
    if (!payerRemedy || !stripeSubscriptionId) return null;
    const payer = { email, stripeSubscriptionId, leadId, differenceId: id, remedy: payerRemedy };
    return <PayerRemedyButton payer={payer} onDone={onChange} />;
  }
  return (
    <>
      <CallButton
        look="line"
        size="small"
        pending={isPending}
        pendingLabel="Asking..."
        aria-label={`${REMEDY_LABELS[remedy]}: ${email}`}
        onClick={() => (remedy === 'set-free' ? setConfirming(true) : resolve())}
      >
        {REMEDY_LABELS[remedy]}
        {remedy === 'set-free' && '…'}
      </CallButton>
      {isConfirming && (
        <ConfirmDialog
          title="Move to the free list?"
          person={email}
          submit="Move to the free list"
          onSubmit={resolve}
          onClose={() => setConfirming(false)}
        >
          <p className={styles.words}>
            They no longer get the paid issue. If it was a gift from you, close this and give them
            free access until a date.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
