import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import { toasts } from '../../../ui/toast-store.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { useCall } from '../../session/use-call.ts';
import { formatDate, formatDated } from '../../shared/london-time.ts';
import { changedDialog, describeAccess } from './ChangedDialog.tsx';
import { isCancelled } from '../judge-money.ts';
import { describeOther, SubscriptionLine } from './SubscriptionLine.tsx';

type CancelDialogProps = {
  subscription: LeadSubscription;
  onClose: () => void;
  onDone: () => void;
};

/** What ends, and what is said of the money before and after. */
const TRIAL = {
  ends: 'trial',
  soon: 'Nothing has been paid, and nothing will be charged.',
  done: 'Nothing will be charged.',
};
const UNPAID = { ends: 'period', soon: 'Nothing was paid.', done: 'Nothing was paid.' };
/** What follows from each choice while Stripe tries to charge what has failed. */
const FAILING = {
  now: 'Stripe stops trying to charge them.',
  'period-end':
    'Until then they receive every issue unpaid, and Stripe goes on trying to charge them.',
};
const PAID = { ends: 'paid period', soon: 'This refunds nothing.', done: 'It refunded nothing.' };

/** Asks when a subscription ends, and for confirmation. */
export function CancelDialog({ subscription, onClose, onDone }: CancelDialogProps) {
  const { stripeSubscriptionId, email, stage, firstPaidAt, trialEndsAt, periodEndsAt, cancelAt } =
    subscription;
  const { unsettled, invoices } = subscription;
  const beside = describeOther(subscription);
  const isEnding = isCancelled(subscription);
  const [wasEnding] = useState(isEnding);
  const isFailing = stage === 'dunning';
  const [said] = useState(beside);
  const [hasChanged, setChanged] = useState(false);
  const what = stage === 'trial' ? 'trial' : 'subscription';
  const isUnpaid = firstPaidAt === null;
  /** It runs without payment, so that no period is paid for. A dispute is lost months later: there may be newer payments. */
  const isUnsettled =
    unsettled !== null &&
    (unsettled.reason !== 'dispute-lost' ||
      invoices.find(({ paidPence }) => paidPence > 0)?.dispute !== null);
  const { ends, soon, done } =
    stage === 'trial' || (isEnding && isUnpaid && !isFailing) ? TRIAL : isUnpaid ? UNPAID : PAID;
  const [when, setWhen] = useState<'now' | 'period-end'>(
    isEnding || isUnsettled || isFailing ? 'now' : 'period-end',
  );
  const { send, fault, isPending } = useCall('POST /api/admin/subscriptions/:id/cancel', {
    onDone(cancelled) {
      onClose();
      onDone();
      const { endedAt, cancelAt: at } = cancelled;
      const until = endedAt === null && at !== null && formatDated(new Date(at));
      toasts.add({
        title: `${what.charAt(0).toUpperCase()}${what.slice(1)} cancelled`,
        description: beside
          ? `This one ${until ? `ends on ${until}` : 'has ended'}. ${beside}`
          : `${until ? `Access until ${until}${isFailing ? ' at the latest' : ''}` : 'Access has ended'}. ${done}`,
      });
    },
  });
  // In another window. Its question takes no place of this one's, under a finger, and nor does this one come back.
  if (!hasChanged && !isPending && (stage === 'ended' || isEnding !== wasEnding || beside !== said))
    setChanged(true);
  if (hasChanged) return changedDialog(subscription, onClose, said);
  const endsAt = (stage === 'trial' ? trialEndsAt : null) ?? periodEndsAt;
  const end = endsAt === null ? undefined : new Date(endsAt);
  const choices = [
    {
      value: 'period-end',
      label: `At the end of the ${isUnsettled || isFailing ? 'period' : ends}${end ? `, ${formatDated(end)}` : ''}`,
    },
    { value: 'now', label: beside ? 'Now' : 'Now: access ends at once' },
  ] as const;
  return (
    <ConfirmDialog
      title={isEnding ? 'End it now?' : `Cancel this ${what}?`}
      person={email}
      submit={
        isEnding
          ? 'End now'
          : `Cancel ${when === 'now' ? 'now' : end ? `on ${formatDate(end)}` : 'at the end'}`
      }
      dismiss="Keep it"
      isFinal={when === 'now'}
      isPending={isPending}
      fault={fault}
      onSubmit={() => void send({ params: { id: stripeSubscriptionId }, body: { when } })}
      onClose={onClose}
    >
      <SubscriptionLine subscription={subscription} />
      {isEnding ? (
        <p>
          Cancelled already{describeAccess(cancelAt)}.{' '}
          {!beside && 'Access ends at once if you end it now.'}
        </p>
      ) : (
        <fieldset className={styles.choices}>
          <legend>When does it end?</legend>
          {choices.map(({ value, label }) => (
            <label key={value} className={styles.tick}>
              <input
                type="radio"
                name="when"
                checked={value === when}
                onChange={() => setWhen(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <p className={styles.words}>
        {isFailing && FAILING[when]} {soon} {beside}
      </p>
      {subscription.openDispute && (
        <p className={styles.words}>
          A payment is disputed. A cancellation does not answer the dispute.
        </p>
      )}
    </ConfirmDialog>
  );
}
