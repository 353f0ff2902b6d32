import type { MoneyAnswer } from '@site/schema/money';
import { formatCount } from '../elements/format-count.ts';
import styles from './Money.module.css';
import { MoneyItem, MoneyItems } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { RecoveryLink } from './RecoveryLink.tsx';

type AbandonedCheckoutsListProps = { checkouts: MoneyAnswer['abandoned']['checkouts']; total: number; now: Date };

/** Abandoned checkouts, newest first, each with Stripe's recovery link. */
export function AbandonedCheckoutsList({ checkouts, total, now }: AbandonedCheckoutsListProps) {
  if (total === 0) return <p>No abandoned checkouts.</p>;
  return (
    <>
      <MoneyItems>
        {checkouts.map((checkout) => (
          <MoneyItem
            key={checkout.id}
            at={checkout.startedAt}
            timeIs="Opened"
            now={now}
            what={<MoneyLeadLink leadId={checkout.leadId} email={checkout.email} />}
            more={<RecoveryLink checkout={checkout} now={now} />}
          />
        ))}
      </MoneyItems>
      {total > checkouts.length && (
        <p className={styles.quiet}>The most recent {formatCount(checkouts.length)} are shown.</p>
      )}
    </>
  );
}
