import { londonDate } from '@site/schema/calendar';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { Loading, LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { useMoneyReload } from '../api/use-money-reload.ts';
import { useFirstRun } from '../set-up/use-set-up.ts';
import { useNow } from '../shared/use-now.ts';
import { Attention } from './Attention.tsx';
import { Funnel } from './Funnel.tsx';
import { MonthSoFar } from './MonthSoFar.tsx';
import { NextDays } from './NextDays.tsx';
import styles from './Overview.module.css';
import { nameMonth } from './overview-words.ts';
import { useAttention } from './use-attention.ts';

/** The leads of three months are read for it. */
const AFTER_EVENTS_MS = 10_000;

/** Who is wronged, whether it grows, what comes, and where from: in this order. */
export function OverviewView() {
  const now = useNow(false);
  const { data: overview, fault, reload } = useApiData('GET /api/admin/overview');
  useMoneyReload(reload, AFTER_EVENTS_MS, true);
  const attention = useAttention();
  const { isFirstRun } = useFirstRun();
  const { funnel, mrr, month } = overview ?? {};
  const isEmpty =
    isFirstRun &&
    overview &&
    !funnel?.trials &&
    !funnel?.paying &&
    !mrr?.count &&
    !month?.paidPence;
  const soFar = `${nameMonth(londonDate(now))} so far`;
  // Together: what comes later would move what is being read.
  if (isUnderWay(overview, fault) || isUnderWay(attention.data, attention.fault)) {
    return (
      <div className={styles.overview} aria-busy="true">
        <Loading of="the overview" />
      </div>
    );
  }
  return (
    <div className={styles.overview}>
      <Attention />
      <LoadState of="the figures" data={overview} fault={fault} reload={reload} />
      {isEmpty && (
        <section aria-label="This month">
          <SectionHead title={soFar} />
          <p>
            Figures appear here with the first trial. See{' '}
            <Link to="/admin-leads">what is left to set up</Link>.
          </p>
        </section>
      )}
      {overview && !isEmpty && (
        <>
          <MonthSoFar overview={overview} />
          <NextDays overview={overview} now={now} />
        </>
      )}
      {overview && (!isEmpty || overview.funnel.people > 0) && <Funnel funnel={overview.funnel} />}
    </div>
  );
}

const isUnderWay = (data: unknown, fault: unknown) => data === undefined && fault === undefined;
