import { LoadState } from '../elements/LoadState.tsx';
import { useNow } from '../time/use-now.ts';
import { Attention } from './Attention.tsx';
import { Funnel } from './Funnel.tsx';
import { MonthSoFar } from './MonthSoFar.tsx';
import { NextDays } from './NextDays.tsx';
import styles from './Overview.module.css';
import { useOverview } from './use-overview.ts';

/** Who is wronged, whether it grows, what comes, and where from: in this order. */
export function OverviewView() {
  const now = useNow(false);
  const { data: overview, fault, reload } = useOverview();
  return (
    <div className={styles.overview}>
      <Attention overview={overview} now={now} />
      <LoadState of="the figures" data={overview} fault={fault} reload={reload} />
      {overview && (
        <>
          <MonthSoFar overview={overview} />
          <NextDays overview={overview} now={now} />
          <Funnel funnel={overview.funnel} />
        </>
      )}
    </div>
  );
}
