import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { describeFault } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { useNow } from '../shared/use-now.ts';
import { CancelDialog } from './dialogs/CancelDialog.tsx';
import { GiveAccessDialog } from './dialogs/GiveAccessDialog.tsx';
import { canResume, isCancelled } from './judge-money.ts';
import { describeSubscription } from './money-labels.ts';
import { Payments } from './Payments.tsx';
import { RefundDialog } from './dialogs/RefundDialog.tsx';
import { ResumeDialog } from './dialogs/ResumeDialog.tsx';
import styles from './SubscriptionMenu.module.css';
import { useMoneyReload } from '../api/use-money-reload.ts';

type SubscriptionMenuProps = {
  id: string;
  /** Whose it is, or which. */
  of: string;
  /** On the page of a person who has another one, and which lists the payments. */
  isSecond?: boolean;
  onDone: () => void;
};
type Given = { subscription: LeadSubscription; onClose: () => void; onDone: () => void };

/** Shows, once asked for, the payments of a subscription and what an operator can do about it, which a dialog confirms. */
export function SubscriptionMenu({ id, of, isSecond = false, onDone }: SubscriptionMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<(now: Given) => ReactNode>();
  const now = useNow(false);
  const { data, fault, reload } = useApiData(
    'GET /api/admin/subscriptions/:id',
    isOpen ? { params: { id } } : null,
  );
  useMoneyReload(reload);
  const given: Given | undefined = data && {
    subscription: data,
    onClose: () => setDialog(undefined),
    onDone: () => {
      void reload();
      onDone();
    },
  };
  return (
    <div className={styles.menu}>
      <LinkButton
        className={styles.opener}
        aria-expanded={isOpen}
        aria-label={`Manage subscription ${of}`}
        onClick={() => setOpen(!isOpen)}
      >
        Manage subscription…
      </LinkButton>
      {isOpen && fault !== undefined && <p role="alert">{describeFault(fault)}</p>}
      {isOpen && given && (
        <>
          {!isSecond && (
            <>
              <p>{describeSubscription(given.subscription, now)}.</p>
              <Payments
                subscriptions={[given.subscription]}
                now={now}
                onRefund={({ invoice }) =>
                  setDialog(() => (now: Given) => <RefundDialog {...now} invoice={invoice} />)
                }
              />
            </>
          )}
          <div className={styles.actions}>
            {canResume(given.subscription, now) && (
              <Button
                look="line"
                onClick={() => setDialog(() => (now: Given) => <ResumeDialog {...now} />)}
              >
                Undo cancellation…
              </Button>
            )}
            {given.subscription.stage !== 'ended' && (
              <>
                <Button
                  key={given.subscription.stage}
                  look="line"
                  onClick={() => setDialog(() => (now: Given) => <CancelDialog {...now} />)}
                >
                  {isCancelled(given.subscription) ? 'End now…' : 'Cancel…'}
                </Button>
                <Button
                  look="line"
                  onClick={() => setDialog(() => (now: Given) => <GiveAccessDialog {...now} />)}
                >
                  Let somebody else read it…
                </Button>
              </>
            )}
            <a href={given.subscription.dashboardUrl} target="_blank" rel="noreferrer">
              Open in Stripe
            </a>
            {dialog?.(given)}
          </div>
        </>
      )}
    </div>
  );
}
