import type { LeadSubscription, RefundPreview } from '@site/schema/calls/subscriptions';
import { formatPence, OFFER } from '@site/schema/offer';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import type { ToastContent } from '../../../ui/toast-store.ts';
import { describeRefusal } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { DialogForm } from '../elements/DialogForm.tsx';
import styles from '../elements/dialog.module.css';
import { useConfirmedCall } from './use-confirmed-call.ts';

type RefundDialogProps = {
  subscription: LeadSubscription;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** Shows what can be refunded, and asks how much. */
export function RefundDialog({ subscription, isOpen, onClose, onDone }: RefundDialogProps) {
  const { stripeSubscriptionId, email, openDispute, dashboardUrl } = subscription;
  const params = { id: stripeSubscriptionId };
  const { data: preview, fault } = useApiData('GET /api/admin/subscriptions/:id/refund', isOpen ? { params } : null);
  return (
    <Dialog open={isOpen} onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>Refund the latest payment?</DialogTitle>
      <p className={styles.person}>
        <bdi>{email}</bdi>
      </p>
      {fault !== undefined && !preview && <p role="alert">{describeRefusal(fault)}</p>}
      {preview && hinders(preview) && (
        <p>
          {describeHindrance(preview)}{' '}
          <a href={openDispute?.dashboardUrl ?? dashboardUrl} target="_blank" rel="noreferrer">
            Open in Stripe
          </a>
        </p>
      )}
      {/* A refund checks what is left again. */}
      {preview && !hinders(preview) ? (
        <RefundForm params={params} preview={preview} onClose={onClose} onDone={onDone} />
      ) : (
        (preview ?? fault) !== undefined && (
          <div className={styles.actions}>
            <Button look="line" onClick={onClose}>
              Close
            </Button>
          </div>
        )
      )}
    </Dialog>
  );
}

const hinders = ({ dispute, left }: RefundPreview) => dispute !== null || left === 0;

/** Why nothing can be refunded, and what can be done instead. */
function describeHindrance({ dispute, paidPence }: RefundPreview): string {
  switch (dispute) {
    case 'open':
      return 'This payment is disputed. Stripe decides, so it cannot be refunded here. Answer the dispute in Stripe, or accept it there: the customer then gets the money back. To charge them no more, cancel the subscription.';
    case 'lost':
      return 'This payment was disputed, and the dispute is lost: the customer has the money back. To charge them no more, cancel the subscription.';
    case null:
      return `This payment of ${formatPence(paidPence, true)} was refunded in full.`;
  }
}

type RefundFormProps = { params: { id: string }; preview: RefundPreview; onClose: () => void; onDone: () => void };

function RefundForm({ params, preview, onClose, onDone }: RefundFormProps) {
  const { invoice, paidPence, refundedPence, left } = preview;
  const [pounds, setPounds] = useState((left / 100).toFixed(2));
  const [amountFault, setAmountFault] = useState<string>();
  const { send, fault, isPending } = useConfirmedCall(
    'POST /api/admin/subscriptions/:id/refund',
    ({ status, amountPence }) => {
      onClose();
      onDone();
      toasts.add(describeRefund(status, formatPence(amountPence, true)));
    },
  );

  const submit = () => {
    const pence = toPence(pounds);
    const isValid = pence !== null && pence > 0 && pence <= left;
    setAmountFault(isValid ? undefined : `Enter an amount up to ${formatPence(left, true)}`);
    if (isValid) void send({ params, body: { amountPence: pence } });
  };
  return (
    <DialogForm
      submit="Refund"
      look="danger"
      isPending={isPending}
      dismiss="Close"
      onSubmit={submit}
      onDismiss={onClose}
    >
      <p className={styles.words}>
        Invoice <bdi>{invoice}</bdi>: {formatPence(paidPence, true)} paid, {formatPence(refundedPence, true)} refunded.
        A refund does not cancel the subscription.
      </p>
      <TextField
        label="Amount in pounds"
        inputMode="decimal"
        autoComplete="off"
        value={pounds}
        error={amountFault ?? fault}
        onChange={(event) => setPounds(event.target.value)}
      />
    </DialogForm>
  );
}

/** What became of a refund, by its status at Stripe. */
function describeRefund(status: string, amount: string): ToastContent {
  if (status === 'failed' || status === 'canceled') {
    return { title: `${amount} could not be refunded`, description: 'Stripe says why.', tone: 'destructive' };
  }
  const title = status === 'succeeded' ? `${amount} refunded` : `${amount} is being refunded`;
  return { title, description: `It reaches them in ${OFFER.refundBusinessDays} business days.` };
}

/** `203.15` or `£1,000` in pence, or null. */
function toPence(typed: string): number | null {
  const text = typed.replaceAll(/[£,\s]/g, '');
  return /^\d+(?:\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : null;
}
