import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';
import styles from '../elements/dialog.module.css';
import { describeSubscriberStatus } from '../lead/lead-labels.ts';
import { useCall } from '../session/use-call.ts';
import { formatMoment } from '../time/london-time.ts';
import { REMEDY_LABELS } from './difference-labels.ts';
import { MoneyItem, StripeId } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { PayerRemedyButton } from './PayerRemedyButton.tsx';
import { SubscriptionMenu } from './SubscriptionMenu.tsx';

type DifferenceItemProps = {
  difference: Difference;
  dashboardUrl: string;
  now: Date;
  onAsked: () => Promise<void>;
  onChange: () => void;
};

export const ASK_FAILED = 'The request failed';

/** A person of whom the records disagree, with the remedy. */
export function DifferenceItem({ difference, dashboardUrl, now, onAsked, onChange }: DifferenceItemProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { send, isPending } = useCall('POST /api/admin/differences/:id/remedy', {
    failure: ASK_FAILED,
    onDone: onAsked,
  });
  const putRight = () => void send({ params: { id: difference.id } });
  const { id, payerRemedy, kind, email, leadId, stripeSubscriptionId, subscriberStatus, remedy, isRequested } =
    difference;
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
        isRequested ? (
          'Requested'
        ) : remedy === null ? (
          payerRemedy &&
          stripeSubscriptionId && (
            <PayerRemedyButton
              payer={{ email, stripeSubscriptionId, leadId: leadId ?? null, differenceId: id, remedy: payerRemedy }}
              onDone={onChange}
            />
          )
        ) : (
          <Button
            look="line"
            size="small"
            pending={isPending}
            pendingLabel="Asking..."
            aria-label={`${REMEDY_LABELS[remedy]}: ${email}`}
            onClick={() => (remedy === 'set-free' ? setConfirming(true) : putRight())}
          >
            {REMEDY_LABELS[remedy]}
            {remedy === 'set-free' && '…'}
          </Button>
        )
      }
    >
      {stripeSubscriptionId && <SubscriptionMenu id={stripeSubscriptionId} onDone={onChange} />}
      {isConfirming && (
        <ConfirmDialog
          title="Set to free?"
          person={email}
          submit="Set to free"
          look="danger"
          dismiss="Keep premium"
          onSubmit={() => {
            setConfirming(false);
            putRight();
          }}
          onClose={() => setConfirming(false)}
        >
          <p className={styles.words}>
            They no longer get the paid issue. If it was a gift from you, close this and give them complimentary access
            until a date.
          </p>
        </ConfirmDialog>
      )}
    </MoneyItem>
  );
}
