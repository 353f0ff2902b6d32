import type { CancelBody, LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import { DialogForm } from '../elements/DialogForm.tsx';
import styles from '../elements/dialog.module.css';
import { formatDated } from '../time/london-time.ts';
import { useConfirmedCall } from './use-confirmed-call.ts';

type CancelDialogProps = {
  subscription: LeadSubscription;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** Asks when a subscription ends, and for confirmation. */
export function CancelDialog({ subscription, isOpen, onClose, onDone }: CancelDialogProps) {
  const { stripeSubscriptionId, email, stage, periodEndsAt, cancelAt, dashboardUrl } = subscription;
  const [when, setWhen] = useState<CancelBody['when']>('period-end');
  const { send, fault, isPending } = useConfirmedCall('POST /api/admin/subscriptions/:id/cancel', (cancelled) => {
    onClose();
    onDone();
    toasts.add({
      title: 'Subscription cancelled',
      description:
        cancelled.endedAt === null && cancelled.cancelAt !== null
          ? `Access until ${formatDated(new Date(cancelled.cancelAt))}. Nothing was refunded.`
          : 'Access has ended. Nothing was refunded.',
    });
  });
  const end = periodEndsAt === null ? '' : `, ${formatDated(new Date(periodEndsAt))}`;
  const choices = [
    { value: 'period-end', label: `At the end of the paid period${end}` },
    { value: 'now', label: 'Now: access ends at once' },
  ] as const;
  const isCancelled = stage === 'ending';
  return (
    <Dialog open={isOpen} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>{isCancelled ? 'End it now?' : 'Cancel this subscription?'}</DialogTitle>
      <DialogForm
        submit={isCancelled ? 'End now' : 'Cancel subscription'}
        look="danger"
        isPending={isPending}
        fault={fault}
        onSubmit={() => void send({ params: { id: stripeSubscriptionId }, body: { when: isCancelled ? 'now' : when } })}
        onDismiss={onClose}
      >
        <p className={styles.person}>
          <bdi>{email}</bdi>
        </p>
        {isCancelled ? (
          <p>
            Cancelled already{cancelAt !== null && `, with access until ${formatDated(new Date(cancelAt))}`}. Access
            ends at once if you end it now. To take the cancellation back,{' '}
            <a href={dashboardUrl} target="_blank" rel="noreferrer">
              open it in Stripe
            </a>
            .
          </p>
        ) : (
          <fieldset className={styles.choices}>
            <legend>When does it end?</legend>
            {choices.map(({ value, label }) => (
              <label key={value} className={styles.tick}>
                <input type="radio" name="when" checked={value === when} onChange={() => setWhen(value)} />
                {label}
              </label>
            ))}
          </fieldset>
        )}
        <p className={styles.words}>
          Nothing is refunded. Stripe confirms the cancellation by email if that is set up.
        </p>
      </DialogForm>
    </Dialog>
  );
}
