import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { joinUnbroken } from '../../ui/unbroken.ts';
import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';
import { formatDated } from '../time/london-time.ts';

type ChangedDialogProps = {
  subscription: LeadSubscription;
  /** There was another when the question was asked. */
  hadOther?: boolean;
  onClose: () => void;
};

/** Instead of a question that another window has overtaken: what the subscription is by now, and nothing to press. */
export function ChangedDialog({ subscription, hadOther, onClose }: ChangedDialogProps) {
  const { email, stage, cancelAt, hasOther } = subscription;
  return (
    <ConfirmDialog title="It has changed" person={email} onClose={onClose}>
      <p>
        {stage === 'ended'
          ? 'The subscription has ended.'
          : stage === 'ending'
            ? `The subscription is cancelled already${describeAccess(cancelAt)}.`
            : hadOther !== undefined && hadOther !== hasOther
              ? `There is ${hasOther ? 'another' : 'no other'} subscription that continues.`
              : 'The cancellation was undone: the subscription continues.'}
      </p>
    </ConfirmDialog>
  );
}

export const describeAccess = (until: string | null) =>
  until === null ? '' : joinUnbroken(`, with access until ${formatDated(new Date(until))}`);
