import { MAX_NOTE_CHARS } from '@site/schema/calls/request-parts';
import type {
  CancelBody,
  LeadSubscription,
  RefundBody,
  RefundPreview,
  SubscriptionInvoice,
} from '@site/schema/calls/subscriptions';
import { decimalsOf, formatMoney } from '@site/schema/money';
import { OFFER } from '@site/schema/offer';
import { useState } from 'react';
import { TextField } from '../../../ui/Field.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import type { ToastContent } from '../../../ui/toast-store.ts';
import { useApiData } from '../../api/data.tsx';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import { Choices } from '../../shared/Choices.tsx';
import styles from '../../shared/dialog.module.css';
import { LoadState } from '../../shared/LoadState.tsx';
import { useCall } from '../../session/use-call.ts';
import { toPaymentText } from '../Payments.tsx';

type RefundDialogProps = {
  subscription: LeadSubscription;
  invoice: SubscriptionInvoice;
  onClose: () => void;
  onDone: () => void;
};

/** Shows the refundable part of a payment, and asks for the amount. */
export function RefundDialog({ subscription, invoice, onClose, onDone }: RefundDialogProps) {
  const { stripeSubscriptionId, email, openDispute, dashboardUrl, stage } = subscription;
  const params = { id: stripeSubscriptionId };
  const query = { invoiceId: invoice.id };
  const preview = useApiData('GET /api/admin/subscriptions/:id/refund', { params, query });
  const { data, reload } = preview;
  const [typed, setTyped] = useState<string>();
  const [amountError, setAmountError] = useState<string>();
  const [cancel, setCancel] = useState<CancelBody['when']>();
  const [reason, setReason] = useState<Reason>('requested_by_customer');
  const [note, setNote] = useState('');
  // Refunded, but not cancelled: only the same call finishes it, so nothing may change any more.
  const [begun, setBegun] = useState<RefundBody>();
  const { send, failure, isPending, reset } = useCall('POST /api/admin/subscriptions/:id/refund', {
    isFinished: ({ cancellation }) => cancellation !== 'failed',
    onDone({ refund: { status, amountPence, currency }, cancellation }) {
      onClose();
      onDone();
      const refunded = toRefundNotice(status, formatMoney(amountPence, currency));
      const title = cancellation ? `${refunded.title}, subscription cancelled` : refunded.title;
      toasts.add({ ...refunded, title });
    },
  });
  const isRefundable = data?.dispute === null && data.left > 0;
  const left = isRefundable ? data.left : 0;
  const { currency } = invoice;
  const decimals = decimalsOf(currency);
  const amount = typed ?? (left / 10 ** decimals).toFixed(decimals);
  const pence = toSmallest(amount, decimals);
  // The API checks the rest again.
  const isValid = pence !== null && pence > 0 && pence <= left;
  const submitLabel = isRefundable
    ? `Refund ${isValid ? toPaymentText(invoice, pence) : ''}${cancel ? ' and cancel' : ''}`
    : undefined;
  const submit = async () => {
    setAmountError(
      isValid ? undefined : `Enter an amount up to ${formatMoney(left, currency)}, as in 12.50.`,
    );
    if (!isValid && !begun) return;
    const words = note.trim();
    const body = begun ?? {
      ...query,
      amountPence: pence ?? 0,
      ...(reason === 'duplicate' && { reason }),
      ...(words !== '' && { note: words }),
      ...(cancel && { cancel }),
    };
    const sent = await send({ params, body });
    if (sent?.answer.cancellation === 'failed') setBegun(body);
    if (sent) return;
    // Somebody else may have refunded a part.
    await reload();
    onDone();
  };
  return (
    <ConfirmDialog
      title={`Refund ${toPaymentText(invoice)}?`}
      person={email}
      submit={begun ? 'Cancel the subscription' : submitLabel}
      dismiss="Back"
      isFinal
      isPending={isPending}
      failure={failure ?? (begun && 'Refunded, but the subscription was not cancelled.')}
      onSubmit={submit}
      onClose={onClose}
    >
      <LoadState of="the payment" {...preview} />
      {data && !isRefundable && (
        <p className={styles.words}>
          {toHindranceText(data)}{' '}
          <a href={openDispute?.dashboardUrl ?? dashboardUrl} target="_blank" rel="noreferrer">
            Open in Stripe
          </a>
        </p>
      )}
      {isRefundable && !begun && (
        <>
          <p className={styles.words}>
            Invoice <bdi className="nowrap">{invoice.number ?? invoice.id}</bdi>:{' '}
            {formatMoney(data.paidPence, currency)} paid,{' '}
            {formatMoney(data.refundedPence, currency)} refunded.
          </p>
          <TextField
            label={`Amount in ${currency === OFFER.currency ? 'pounds' : currency.toUpperCase()}`}
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            error={amountError}
            onChange={(event) => {
              setTyped(event.target.value);
              setAmountError(undefined);
              reset();
            }}
          />
          <Choices legend="Reason" choices={REASONS} chosen={reason} onChoose={setReason} />
          {stage !== 'ended' && (
            <Choices legend="Subscription" choices={ENDS} chosen={cancel} onChoose={setCancel} />
          )}
          <TextField
            label="Note (optional)"
            maxLength={MAX_NOTE_CHARS}
            autoComplete="off"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </>
      )}
    </ConfirmDialog>
  );
}

const REASONS = [
  ['requested_by_customer', 'Requested by the customer'],
  ['duplicate', 'Paid twice'],
] as const;
type Reason = (typeof REASONS)[number][0];
const ENDS = [
  [undefined, 'Leave it as it is'],
  ['period-end', 'Cancel at the end of the period'],
  ['now', 'Cancel now'],
] as const;

/** Returns why nothing can be refunded, and the alternative. */
function toHindranceText({ dispute, paidPence, currency }: RefundPreview): string {
  switch (dispute) {
    case 'open':
      return (
        'This payment is disputed, so it cannot be refunded here. Answer the dispute in Stripe, ' +
        'or accept it there: the customer then gets the money back.'
      );
    case 'lost':
      return 'The dispute of this payment is lost: the customer has the money back.';
    case null:
      return `This payment of ${formatMoney(paidPence, currency)} was refunded in full.`;
  }
}

/** Returns the result of a refund, by its status at Stripe. */
function toRefundNotice(status: string, amount: string): ToastContent {
  if (status === 'failed' || status === 'canceled') {
    return {
      title: `${amount} could not be refunded`,
      description: 'Stripe says why.',
      tone: 'destructive',
    };
  }
  const title = status === 'succeeded' ? `${amount} refunded` : `${amount} is being refunded`;
  return { title, description: `It reaches them in ${OFFER.refundBusinessDays} business days.` };
}

/**
 * Parses `203.15` or `£1,000` into the currency's smallest unit. Returns null for ambiguous text
 * such as `1,50`.
 */
function toSmallest(typed: string, decimals: number): number | null {
  const text = typed.replaceAll(/[\p{Sc}A-Z\s]/gu, '');
  const amount = /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(text);
  return amount === null || (amount[1] ?? '').length > decimals
    ? null
    : Math.round(Number(text.replaceAll(',', '')) * 10 ** decimals);
}
