import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { describeSubscriberStatus } from '../lead/lead-labels.ts';
import { formatMoment } from '../time/london-time.ts';
import { REMEDY_LABELS } from './difference-labels.ts';
import { MoneyItem, StripeId } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { SetFreeDialog } from './SetFreeDialog.tsx';
import { SubscriptionMenu } from './SubscriptionMenu.tsx';

type DifferenceItemProps = {
  difference: Difference;
  dashboardUrl: string;
  now: Date;
  isAsking: boolean;
  onPutRight: () => Promise<void>;
  onChange: () => void;
};

/** A person of whom the records disagree, with the remedy. */
export function DifferenceItem({ difference, dashboardUrl, now, isAsking, onPutRight, onChange }: DifferenceItemProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { kind, email, leadId, stripeSubscriptionId, subscriberStatus, remedy, isRequested } = difference;
  const { sentAt, subscribedAt } = difference;
  const began = subscribedAt ?? sentAt;
  const isAbsent = kind === 'missing-there' || (kind === 'pays-not-active' && subscriberStatus === undefined);
  const status = isAbsent ? 'Not at Beehiiv' : subscriberStatus && describeSubscriberStatus(subscriberStatus);
  return (
    <MoneyItem
      what={<MoneyLeadLink leadId={leadId ?? null} email={email} />}
      more={
        <>
          {[status, began && `${subscribedAt ? 'Subscribed' : 'Lead sent'} ${formatMoment(new Date(began), now)}`]
            .filter(Boolean)
            .join(' · ')}{' '}
          {stripeSubscriptionId && (
            <StripeId to={`${dashboardUrl}/subscriptions/${stripeSubscriptionId}`}>{stripeSubscriptionId}</StripeId>
          )}
        </>
      }
      acts={
        isRequested
          ? 'Requested'
          : remedy && (
              <Button
                look="line"
                size="small"
                pending={isAsking}
                pendingLabel="Asking..."
                aria-label={`${REMEDY_LABELS[remedy]}: ${email}`}
                onClick={() => (remedy === 'set-free' ? setConfirming(true) : void onPutRight())}
              >
                {REMEDY_LABELS[remedy]}
                {remedy === 'set-free' && '…'}
              </Button>
            )
      }
    >
      {stripeSubscriptionId && <SubscriptionMenu id={stripeSubscriptionId} onDone={onChange} />}
      <SetFreeDialog
        email={email}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          void onPutRight();
        }}
      />
    </MoneyItem>
  );
}
