import { Link } from 'react-router-dom';
import { describeFault } from '../call-fault.ts';
import { AbandonedCheckoutsList } from './AbandonedCheckoutsList.tsx';
import { LinkButton } from '../LinkButton.tsx';
import styles from './Money.module.css';
import { MoneyAttention } from './MoneyAttention.tsx';
import { RevenueTable } from './RevenueTable.tsx';
import { StageFigures } from './StageFigures.tsx';
import { useMoney } from './use-money.ts';
import { useNow } from '../use-now.ts';

/** What a person should look at first, then how subscriptions are doing and what they brought. */
export function MoneyView({ onSignedOut }: { onSignedOut: () => void }) {
  const now = useNow(false);
  const { money, fault, isReviewing, review, reload } = useMoney(onSignedOut);
  const alert = fault !== undefined && (
    <p role="alert">
      {describeFault(fault)} <LinkButton onClick={() => void reload()}>Try again</LinkButton>
    </p>
  );
  if (!money) return alert || <output>Loading money...</output>;
  const { total, isCapped } = money.abandoned;
  return (
    <div className={styles.money}>
      {alert}
      <MoneyAttention money={money} now={now} isReviewing={isReviewing} onReview={review} onSignedOut={onSignedOut} />
      <section aria-label="Subscriptions">
        <h2 className={styles.heading}>Subscriptions</h2>
        <StageFigures stages={money.stages} />
        {money.tiersWaiting > 0 && (
          <p className={styles.quiet}>
            {money.tiersWaiting.toLocaleString('en-GB')}{' '}
            {money.tiersWaiting === 1 ? 'subscriber waits' : 'subscribers wait'} for the right tier at Beehiiv.
          </p>
        )}
      </section>
      <section aria-label="Revenue by source">
        <h2 className={styles.heading}>
          Revenue by source <span className={styles.aside}>over all time</span>
        </h2>
        <RevenueTable revenue={money.revenue} />
      </section>
      <section aria-label="Checkouts given up">
        <h2 className={styles.heading}>
          Checkouts given up{' '}
          <span className={styles.aside}>
            {total.toLocaleString('en-GB')}
            {isCapped && '+'}
          </span>
        </h2>
        {total > 0 && (
          <p className={styles.quiet}>
            Left without paying, and no other one completed. Nobody is written to by itself: a mail about it needs the
            subscriber’s consent. <Link to={{ search: 'checkout=abandoned' }}>Show them in the list</Link>
          </p>
        )}
        <AbandonedCheckoutsList checkouts={money.abandoned.checkouts} total={total} now={now} />
      </section>
    </div>
  );
}
