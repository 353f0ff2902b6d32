import type { MoneyAnswer } from '@site/schema/money';
import { formatFully, formatMoment } from './london-time.ts';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import styles from './Money.module.css';
import { RecoveryLink } from './RecoveryLink.tsx';

type GivenUpListProps = { checkouts: MoneyAnswer['abandoned']['checkouts']; total: number; now: Date };

/** Whoever left Stripe's page, the last one first, with Stripe's way back. */
export function GivenUpList({ checkouts, total, now }: GivenUpListProps) {
  if (total === 0) return <p>Nobody has given a checkout up.</p>;
  return (
    <>
      <ul className={styles.items}>
        {checkouts.map((checkout) => (
          <li key={checkout.id} className={styles.item}>
            <span className={styles.what}>
              <MoneyLeadLink leadId={checkout.leadId} email={checkout.email} />
            </span>
            <span className={styles.more}>
              <RecoveryLink checkout={checkout} now={now} />
            </span>
            <time
              className={styles.when}
              dateTime={checkout.begunAt}
              title={`Opened ${formatFully(new Date(checkout.begunAt))}`}
            >
              {formatMoment(new Date(checkout.begunAt), now)}
            </time>
          </li>
        ))}
      </ul>
      {total > checkouts.length && (
        <p className={styles.quiet}>These are the last {checkouts.length.toLocaleString('en-GB')}.</p>
      )}
    </>
  );
}
