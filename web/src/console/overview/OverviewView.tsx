import { useApiData } from '../api/use-api-data.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { useMoneyEvents } from '../money/use-money-events.ts';
import { useNow } from '../time/use-now.ts';
import { Attention } from './Attention.tsx';
import { Funnel } from './Funnel.tsx';
import { MonthSoFar } from './MonthSoFar.tsx';
import { NextDays } from './NextDays.tsx';
import styles from './Overview.module.css';

const AGAIN_MS = 60_000;
/** The leads of three months are read for it. */
const AFTER_EVENTS_MS = 10_000;

/** Who is wronged, whether it grows, what comes, and where from: in this order. */
export function OverviewView() {
  const now = useNow(false);
  const { data: overview, fault, reload } = useApiData('GET /api/admin/overview', {}, { refreshInterval: AGAIN_MS });
  useMoneyEvents(reload, AFTER_EVENTS_MS);
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
