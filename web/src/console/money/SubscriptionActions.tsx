import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { CancelDialog } from './CancelDialog.tsx';
import { DeliveryDialog } from './DeliveryDialog.tsx';
import { InvoiceList } from './InvoiceList.tsx';
import { RefundDialog } from './RefundDialog.tsx';
import { ResumeDialog } from './ResumeDialog.tsx';
import styles from './SubscriptionActions.module.css';

type SubscriptionActionsProps = { subscription: LeadSubscription; onDone: () => void };

/** The invoices of a subscription, and what an operator can do about it. Each button asks for confirmation first. */
export function SubscriptionActions({ subscription, onDone }: SubscriptionActionsProps) {
  const [open, setOpen] = useState<ReactNode>();
  const { stage, invoices, dashboardUrl } = subscription;
  const dialog = { subscription, onClose: () => setOpen(undefined), onDone };
  return (
    <>
      <InvoiceList
        invoices={invoices}
        onRefund={(invoice) => setOpen(<RefundDialog {...dialog} invoice={invoice} />)}
      />
      <div className={styles.actions}>
        {stage === 'ending' && (
          <Button look="line" onClick={() => setOpen(<ResumeDialog {...dialog} />)}>
            Undo cancellation…
          </Button>
        )}
        {stage !== 'ended' && (
          <>
            <Button look="danger" onClick={() => setOpen(<CancelDialog {...dialog} />)}>
              {stage === 'ending' ? 'End now…' : 'Cancel subscription…'}
            </Button>
            <Button look="line" onClick={() => setOpen(<DeliveryDialog {...dialog} />)}>
              Change address…
            </Button>
          </>
        )}
        <a href={dashboardUrl} target="_blank" rel="noreferrer">
          Open in Stripe
        </a>
        {open}
      </div>
    </>
  );
}
