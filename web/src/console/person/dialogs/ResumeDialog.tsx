import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { formatPence } from '@site/schema/offer';
import { toasts } from '../../../ui/toast-store.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import { useCall } from '../../session/use-call.ts';
import { formatDated } from '../../shared/london-time.ts';
import { changedDialog } from './ChangedDialog.tsx';
import { isCancelled } from '../judge-money.ts';
import { SubscriptionLine } from './SubscriptionLine.tsx';

type ResumeDialogProps = {
  subscription: LeadSubscription;
  onClose: () => void;
  onDone: () => void;
};

/** Says what will be charged, and asks for confirmation. */
export function ResumeDialog({ subscription, onClose, onDone }: ResumeDialogProps) {
  const { stripeSubscriptionId, email, amountPence, periodEndsAt, stage } = subscription;
  const { send, fault, isPending } = useCall('POST /api/admin/subscriptions/:id/resume', {
    onDone() {
      onClose();
      onDone();
      toasts.add({ title: 'The subscription continues' });
    },
  });
  if (!isCancelled(subscription) && !isPending) return changedDialog(subscription, onClose);
  const at = periodEndsAt === null ? '' : ` on ${formatDated(new Date(periodEndsAt))}`;
  return (
    <ConfirmDialog
      title="Undo the cancellation?"
      person={email}
      submit="Undo cancellation"
      dismiss="Leave it cancelled"
      isPending={isPending}
      fault={fault}
      onSubmit={() => void send({ params: { id: stripeSubscriptionId } })}
      onClose={onClose}
    >
      {subscription.other && <SubscriptionLine subscription={subscription} />}
      <p>
        The subscription continues, and {formatPence(amountPence, true)} is charged{at}.
        {stage === 'dunning' && ' Stripe also goes on trying to charge what has failed.'} Do this
        only if they asked for it.
      </p>
    </ConfirmDialog>
  );
}
