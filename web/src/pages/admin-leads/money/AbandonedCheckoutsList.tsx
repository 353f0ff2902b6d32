import type { MoneyAnswer } from '@site/schema/money';
import styles from './Money.module.css';
import { MoneyItem, MoneyItems } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { RecoveryLink } from './RecoveryLink.tsx';

type AbandonedCheckoutsListProps = { checkouts: MoneyAnswer['abandoned']['checkouts']; total: number; now: Date };

/** Whoever left Stripe's page, the last one first, with Stripe's way back. */
export function AbandonedCheckoutsList({ checkouts, total, now }: AbandonedCheckoutsListProps) {
  if (total === 0) return <p>Nobody has given a checkout up.</p>;
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
        <p className={styles.quiet}>These are the last {checkouts.length.toLocaleString('en-GB')}.</p>
      )}
    </>
  );
}
