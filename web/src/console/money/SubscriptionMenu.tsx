import { useState } from 'react';
import { describeFault } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { SubscriptionActions } from './SubscriptionActions.tsx';
import styles from './SubscriptionMenu.module.css';

type SubscriptionMenuProps = { id: string; onDone: () => void };

/** Shows what an operator can do about a subscription, once asked for. */
export function SubscriptionMenu({ id, onDone }: SubscriptionMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const { data, fault, reload } = useApiData('GET /api/admin/subscriptions/:id', isOpen ? { params: { id } } : null);
  return (
    <div className={styles.menu}>
      <LinkButton
        className={styles.opener}
        aria-expanded={isOpen}
        aria-label={`Refund or cancel ${id}`}
        onClick={() => setOpen(!isOpen)}
      >
        Refund or cancel
      </LinkButton>
      {isOpen && fault !== undefined && <p role="alert">{describeFault(fault)}</p>}
      {isOpen && data && (
        <SubscriptionActions
          subscription={data}
          onDone={() => {
            void reload();
            onDone();
          }}
        />
      )}
    </div>
  );
}
