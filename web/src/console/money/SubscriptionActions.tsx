import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { londonDate } from '@site/schema/calendar';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useNow } from '../time/use-now.ts';
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
  const { stage, cancelAt, invoices, dashboardUrl } = subscription;
  const today = londonDate(useNow(false));
  // On its last day Stripe may end it before it is resumed.
  const canResume = stage === 'ending' && (cancelAt === null || today < londonDate(new Date(cancelAt)));
  const dialog = { subscription, onClose: () => setOpen(undefined), onDone };
  return (
    <>
      <InvoiceList
        invoices={invoices}
        onRefund={(invoice) => setOpen(<RefundDialog {...dialog} invoice={invoice} />)}
      />
      <div className={styles.actions}>
        {canResume && (
          <Button look="line" onClick={() => setOpen(<ResumeDialog {...dialog} />)}>
            Undo cancellation…
          </Button>
        )}
        {stage !== 'ended' && (
          <>
            <Button look="danger" onClick={() => setOpen(<CancelDialog {...dialog} />)}>
              {stage === 'ending' ? 'End now…' : stage === 'trial' ? 'Cancel trial…' : 'Cancel subscription…'}
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
