import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { formatPence } from '@site/schema/offer';
import { useState } from 'react';
import { toasts } from '../../../ui/toast-store.ts';
import { useCall } from '../../session/use-call.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { capitalize, formatDate, formatDateTime } from '../../shared/format.ts';
import { toPriceText } from '../labels.ts';
import { isCancelled } from '../verdict.ts';

type SubscriptionDialogProps = {
  subscription: LeadSubscription;
  onClose: () => void;
  onDone: () => void;
};

/**
 * Asks when a subscription ends, and for confirmation. The API refuses a choice that another window
 * has overtaken.
 */
export function CancelDialog({ subscription, onClose, onDone }: SubscriptionDialogProps) {
  const { stripeSubscriptionId: id, email, stage, firstPaidAt, openDispute } = subscription;
  const isEnding = isCancelled(subscription);
  const isFailing = stage === 'dunning' || subscription.unsettled !== null;
  const what = stage === 'trial' ? 'trial' : 'subscription';
  const [when, setWhen] = useState<'now' | 'period-end'>(
    isEnding || isFailing ? 'now' : 'period-end',
  );
  const { send, failure, isPending } = useCall('POST /api/admin/subscriptions/:id/cancel', {
    onDone({ endedAt, cancelAt }) {
      onClose();
      onDone();
      const until = endedAt === null && cancelAt !== null && formatDateTime(new Date(cancelAt));
      toasts.add({
        title: `${capitalize(what)} cancelled`,
        description: until ? `Access until ${until}.` : 'Access has ended.',
      });
    },
  });
  // A trial may have ended although nothing was paid yet.
  const endsAt = [subscription.trialEndsAt, subscription.periodEndsAt]
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);
  const end = endsAt === undefined ? undefined : new Date(endsAt);
  const choices = [
    ['period-end', `At the end of the period${end ? `, ${formatDateTime(end)}` : ''}`],
    ['now', 'Now: access ends at once'],
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
      failure={failure}
      onSubmit={() => void send({ params: { id }, body: { when } })}
      onClose={onClose}
    >
      <SubscriptionLine subscription={subscription} />
      {!isEnding && (
        <fieldset className={styles.choices}>
          <legend>When does it end?</legend>
          {choices.map(([value, label]) => (
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
        {isFailing && when === 'period-end' && 'Until then Stripe goes on trying to charge them. '}
        {firstPaidAt === null ? 'Nothing was paid.' : 'This refunds nothing.'}
        {openDispute && ' A cancellation does not answer the dispute.'}
      </p>
    </ConfirmDialog>
  );
}

/** Shows the next charge, and asks for confirmation. */
export function ResumeDialog({ subscription, onClose, onDone }: SubscriptionDialogProps) {
  const { stripeSubscriptionId: id, email, amountPence, periodEndsAt } = subscription;
  const { send, failure, isPending } = useCall('POST /api/admin/subscriptions/:id/resume', {
    onDone() {
      onClose();
      onDone();
      toasts.add({ title: 'The subscription continues' });
    },
  });
  const on = periodEndsAt === null ? '' : ` on ${formatDateTime(new Date(periodEndsAt))}`;
  return (
    <ConfirmDialog
      title="Undo the cancellation?"
      person={email}
      submit="Undo cancellation"
      dismiss="Leave it cancelled"
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ params: { id } })}
      onClose={onClose}
    >
      <SubscriptionLine subscription={subscription} />
      <p className={styles.words}>
        {formatPence(amountPence, true)} is charged{on}. Do this only if they asked for it.
      </p>
    </ConfirmDialog>
  );
}

/** Renders `Monthly, £239.00, begun on 3 Dec 2025. Their other subscription continues.` */
function SubscriptionLine({ subscription }: { subscription: LeadSubscription }) {
  const { plan, amountPence, startedAt, other } = subscription;
  const begun = startedAt === null ? '' : `, begun on ${formatDate(new Date(startedAt))}`;
  const until = other?.until ? `runs until ${formatDate(new Date(other.until))}` : 'continues';
  return (
    <p className={styles.words}>
      {toPriceText(plan, amountPence)}
      {begun}.{other && ` Their other subscription ${until}.`}
    </p>
  );
}
