import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { useNow } from '../time/use-now.ts';
import { EventHealth } from './EventHealth.tsx';
import { AbandonedCheckoutsList } from './AbandonedCheckoutsList.tsx';
import { ComplimentaryAccess } from './ComplimentaryAccess.tsx';
import { Differences } from './Differences.tsx';
import styles from './Money.module.css';
import { MoneyAttention } from './MoneyAttention.tsx';
import { RevenueTable } from './RevenueTable.tsx';
import { StageFigures } from './StageFigures.tsx';
import { useMoney } from './use-money.ts';
import { useMoneyFigures } from './use-money-figures.ts';
import { useMoneyPeriod } from './money-period.ts';
import { useShownPeople } from './money-people-address.ts';
import { MoneyFigures } from './MoneyFigures.tsx';
import { MoneyPeopleView } from './MoneyPeopleView.tsx';

/** What needs attention first, then how subscriptions are doing and what they bring in, or the people of a figure. */
export function MoneyView() {
  const people = useShownPeople();
  return people === undefined ? <AllMoney /> : <MoneyPeopleView key={people} of={people} />;
}

function AllMoney() {
  const now = useNow(false);
  const { money, fault, isReviewing, review, reload } = useMoney();
  const { figures, fault: figuresFault, reload: reloadFigures } = useMoneyFigures();
  const { name } = useMoneyPeriod();
  const loadState = <LoadState of="money" fault={fault} onTryAgain={reload} />;
  if (!money) return loadState;
  const { total, isCapped } = money.abandoned;
  return (
    <div className={styles.money}>
      {fault !== undefined && loadState}
      <MoneyAttention
        money={money}
        now={now}
        isReviewing={isReviewing}
        onReview={review}
        onChange={() => void reload()}
      />
      <section aria-label="Revenue">
        <h2 className={styles.heading}>Revenue</h2>
        {figures && figuresFault === undefined ? (
          <MoneyFigures figures={figures} />
        ) : (
          <LoadState of="figures" fault={figuresFault} onTryAgain={reloadFigures} />
        )}
      </section>
      <section aria-label="Subscriptions">
        <h2 className={styles.heading}>Subscriptions</h2>
        <StageFigures stages={money.stages} />
        {money.tiersWaiting > 0 && (
          <p className={styles.quiet}>
            {formatCount(money.tiersWaiting)}{' '}
            {money.tiersWaiting === 1 ? 'subscriber is waiting' : 'subscribers are waiting'} for a change of tier at
            Beehiiv.
          </p>
        )}
        <EventHealth events={money.events} now={now} />
      </section>
      {figures && (
        <section aria-label="Revenue by source">
          <h2 className={styles.heading}>
            Revenue by source <span className={styles.aside}>{name}</span>
          </h2>
          {Object.values(money.stages).every((count) => count === 0) ? (
            <p>No subscriptions yet.</p>
          ) : (
            <RevenueTable revenue={figures.revenue} />
          )}
        </section>
      )}
      <Differences dashboardUrl={money.dashboardUrl} now={now} />
      <ComplimentaryAccess now={now} />
      <section aria-label="Abandoned checkouts">
        <h2 className={styles.heading}>
          Abandoned checkouts <span className={styles.aside}>{formatCount(total, isCapped)}</span>
        </h2>
        {total > 0 && (
          <p className={styles.quiet}>
            Expired without payment, and not completed another way. No email is sent automatically. Emailing them needs
            their consent. <Link to={{ search: 'checkout=abandoned' }}>Show them in the list</Link>
          </p>
        )}
        <AbandonedCheckoutsList checkouts={money.abandoned.checkouts} total={total} now={now} />
      </section>
    </div>
  );
}
