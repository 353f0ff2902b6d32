import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CancelDialog } from './CancelDialog.tsx';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { RefundDialog } from './RefundDialog.tsx';
import styles from './SubscriptionActions.module.css';

type SubscriptionActionsProps = { subscription: LeadSubscription; onDone: () => void };

/** What an operator can do about a subscription. Each button asks for confirmation first. */
export function SubscriptionActions({ subscription, onDone }: SubscriptionActionsProps) {
  const [open, setOpen] = useState<{ Dialog: typeof RefundDialog }>();
  const close = () => setOpen(undefined);
  const { stage, isLatestRefunded, dashboardUrl } = subscription;
  return (
    <div className={styles.actions}>
      {isLatestRefunded ? (
        <span>Refunded in full</span>
      ) : (
        <Button look="danger" onClick={() => setOpen({ Dialog: RefundDialog })}>
          Refund…
        </Button>
      )}
      {stage !== 'ended' && (
        <>
          <Button look="danger" onClick={() => setOpen({ Dialog: CancelDialog })}>
            {stage === 'ending' ? 'End now…' : 'Cancel subscription…'}
          </Button>
          <Button look="line" onClick={() => setOpen({ Dialog: DeliveryDialog })}>
            Change address…
          </Button>
        </>
      )}
      <a href={dashboardUrl} target="_blank" rel="noreferrer">
        Open in Stripe
      </a>
      {open && <open.Dialog subscription={subscription} onClose={close} onDone={onDone} />}
    </div>
  );
}
