import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { useNow } from '../time/use-now.ts';
import { EventHealth } from './EventHealth.tsx';
import { AbandonedCheckoutsList } from './AbandonedCheckoutsList.tsx';
import { ComplimentaryAccess } from './ComplimentaryAccess.tsx';
import { Differences } from './Differences.tsx';
import styles from './Money.module.css';
import { MoneyOutcomes } from './MoneyOutcomes.tsx';
import { MoneyPeriod } from './MoneyPeriod.tsx';
import { describeSums } from './money-labels.ts';
import { RevenueTable } from './RevenueTable.tsx';
import { StageFigures } from './StageFigures.tsx';
import { useMoney } from './use-money.ts';
import { useMoneyFigures } from './use-money-figures.ts';
import { useMoneyPeriod } from './money-period.ts';
import { toPeoplePart, useShownPeople } from './money-people-address.ts';
import { PeriodFigures, RecurringFigures } from './MoneyFigures.tsx';
import { MoneyPeopleView } from './MoneyPeopleView.tsx';

/** What needs attention first, then how subscriptions are doing and what they bring in, or the people of a figure. */
export function MoneyView() {
  const people = useShownPeople();
  return people === undefined ? <AllMoney /> : <MoneyPeopleView key={toPeoplePart(people)} {...people} />;
}

function AllMoney() {
  const now = useNow(false);
  const { money, fault, reload } = useMoney();
  const { figures, fault: figuresFault, reload: reloadFigures } = useMoneyFigures();
  const { name } = useMoneyPeriod();
  const loadState = <LoadState of="Money" data={money} fault={fault} reload={reload} />;
  if (!money) return loadState;
  const { total, isCapped } = money.abandoned;
  const loadFigures = <LoadState of="figures" data={figures} fault={figuresFault} reload={reloadFigures} />;
  return (
    <div className={styles.money}>
      {fault !== undefined ? loadState : figures && loadFigures}
      <section aria-label="Recurring revenue">
        <SectionHead title="Recurring revenue" aside="now and next" />
        {figures ? <RecurringFigures figures={figures} /> : loadFigures}
      </section>
      <section aria-label="Subscriptions">
        <SectionHead title="Subscriptions" aside="now" />
        <StageFigures stages={money.stages} />
        {Object.values(money.stages).every((count) => count === 0) && <p>No subscriptions yet.</p>}
        {money.tiersWaiting > 0 && (
          <p>
            {formatCount(money.tiersWaiting)}{' '}
            {money.tiersWaiting === 1 ? 'subscriber is waiting' : 'subscribers are waiting'} for a change of tier at
            Beehiiv.
          </p>
        )}
        <EventHealth events={money.events} now={now} />
      </section>
      <section aria-label="Revenue and churn">
        <SectionHead title="Revenue and churn" aside={<span className={styles.covered}>{name}</span>}>
          <MoneyPeriod />
        </SectionHead>
        {figures ? (
          <>
            <PeriodFigures figures={figures} />
            <p>{describeSums(figures)}</p>
            <RevenueTable figures={figures} />
          </>
        ) : (
          loadFigures
        )}
      </section>
      <MoneyOutcomes dashboardUrl={money.dashboardUrl} />
      <Differences dashboardUrl={money.dashboardUrl} now={now} />
      <ComplimentaryAccess now={now} />
      <section aria-label="Abandoned checkouts">
        <SectionHead title="Abandoned checkouts" aside={total > 0 && formatCount(total, isCapped)}>
          {total > 0 && <Link to={{ search: 'checkout=abandoned' }}>Show them in the list</Link>}
        </SectionHead>
        <AbandonedCheckoutsList
          checkouts={money.abandoned.checkouts}
          total={total}
          dashboardUrl={money.dashboardUrl}
          now={now}
        />
      </section>
    </div>
  );
}
