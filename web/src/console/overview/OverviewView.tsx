import { formatIssueTime, formatLongDate, nextIssue } from '@site/schema/calendar';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { useFilter } from '../shared/filter.ts';
import { countOf, toSpanText } from '../shared/format.ts';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import { Loading, LoadState } from '../shared/LoadState.tsx';
import { useNow } from '../shared/use-now.ts';
import { Attention } from './Attention.tsx';
import { Funnel } from './Funnel.tsx';
import { MonthSoFar } from './MonthSoFar.tsx';
import styles from './Overview.module.css';

const YEAR = { query: { months: 12 } };

/**
 * Renders the overview in the order of importance: attention, growth, the coming days, and
 * channels.
 */
export function OverviewView() {
  const now = useNow(false);
  const attention = useApiData('GET /api/admin/attention');
  const { startDate, endDate } = useFilter('overview').filter;
  const query = { startDate, endDate };
  const overview = useApiData('GET /api/admin/overview', { query }, { keepPreviousData: true });
  const history = useApiData('GET /api/admin/money/history', YEAR);
  // The same data as the strip at the top of the console.
  const { data: health } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  const { week, funnel } = overview.data ?? {};
  const issue = nextIssue(now);
  return (
    <>
      <ViewHead title="Overview" range={formatLongDate(now)} />
      {/* Shown together, because late parts would move the text during reading. */}
      {[attention, overview, history].some(({ data, failure }) => !data && !failure) ? (
        <Loading of="the overview" />
      ) : (
        <div className={styles.overview}>
          <Attention {...attention} />
          <LoadState of="the months" {...history} />
          <LoadState of="the figures" {...overview} />
          {health?.isFirstRun && funnel?.people === 0 ? (
            <p>
              Figures appear here with the first trial. See{' '}
              <Link to="/admin-leads">what is left to set up</Link>.
            </p>
          ) : (
            <>
              {history.data && (
                <MonthSoFar
                  months={history.data.months}
                  cancelledTrials={overview.data?.cancelledTrials}
                />
              )}
              {week && (
                <section aria-labelledby="next-days">
                  <SectionHead
                    id="next-days"
                    title="Next seven days"
                    aside={
                      `${toSpanText([{ day: week.startDate }, { day: week.endDate }])}, if ` +
                      'every trial stays'
                    }
                  />
                  <p className={styles.days}>
                    <strong>{formatPence(week.pence, true)}</strong> from{' '}
                    <Link to={{ search: 'view=people&group=trials-due' }}>
                      {countOf(week.trials, 'trial that ends', 'trials that end')}
                    </Link>{' '}
                    and{' '}
                    <Link to={{ search: 'view=people&group=renewals-due' }}>
                      {countOf(week.renewals, 'renewal')}
                    </Link>
                    . Issue #{issue.number}: {formatLongDate(issue.at, true)},{' '}
                    {formatIssueTime(issue.at)}.
                  </p>
                </section>
              )}
              {funnel && <Funnel funnel={funnel} />}
            </>
          )}
        </div>
      )}
    </>
  );
}
