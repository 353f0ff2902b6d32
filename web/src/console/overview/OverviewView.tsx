import { formatLongDate } from '@site/schema/calendar';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { ViewHead } from '../shared/heads.tsx';
import { Loading, LoadState } from '../shared/LoadState.tsx';
import { useFirstRun } from '../set-up/use-set-up.ts';
import { useNow } from '../shared/use-now.ts';
import { Attention } from './Attention.tsx';
import { Funnel } from './Funnel.tsx';
import { MonthSoFar } from './MonthSoFar.tsx';
import { NextDays } from './NextDays.tsx';
import styles from './Overview.module.css';

const YEAR = { query: { months: 12 } };

/** Who is wronged, whether it grows, what comes, and where from: in this order. */
export function OverviewView() {
  const now = useNow(false);
  const attention = useApiData('GET /api/admin/attention');
  const overview = useApiData('GET /api/admin/overview');
  const history = useApiData('GET /api/admin/money/history', YEAR);
  const { isFirstRun } = useFirstRun();
  const head = <ViewHead title="Overview" range={formatLongDate(now)} />;
  // Together: what comes later would move what is being read.
  if ([attention, overview, history].some(({ data, fault }) => !data && !fault)) {
    return (
      <>
        {head}
        <Loading of="the overview" />
      </>
    );
  }
  const { week, funnel } = overview.data ?? {};
  return (
    <>
      {head}
      <div className={styles.overview}>
        <Attention {...attention} />
        <LoadState of="the months" {...history} />
        <LoadState of="the figures" {...overview} />
        {isFirstRun && funnel?.people === 0 ? (
          <p>
            Figures appear here with the first trial. See{' '}
            <Link to="/admin-leads">what is left to set up</Link>.
          </p>
        ) : (
          <>
            {history.data && <MonthSoFar months={history.data.months} />}
            {week && <NextDays week={week} now={now} />}
            {funnel && <Funnel funnel={funnel} />}
          </>
        )}
      </div>
    </>
  );
}
