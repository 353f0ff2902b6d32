import { formatIssueTime, formatLongDate, nextIssue } from '@site/schema/calendar';
import { stopsEverybody } from '@site/schema/conditions';
import { formatPence } from '@site/schema/offer';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { useFilter } from '../shared/filter.ts';
import { countOf, toSpanText } from '../shared/format.ts';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import kinds from '../shared/AttentionKind.module.css';
import { Loading, LoadState } from '../shared/LoadState.tsx';
import { useNow } from '../shared/use-now.ts';
import { Attention } from './Attention.tsx';
import { Funnel } from './Funnel.tsx';
import { CallToday } from '../money/CallToday.tsx';
import { MonthSoFar } from './MonthSoFar.tsx';
import styles from './Overview.module.css';

/** In Call today, so not twice. */
const isPayer = (kind: string) => kind === 'not-receiving' || kind === 'payment-failed';

const YEAR = { query: { months: 12 } };

/**
 * Renders the overview in the order of a day: failures that stop everybody, this month's figures,
 * people to call, everything else that needs attention, the coming days, and the way to payers.
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
  const calls = useApiData('GET /api/admin/money/calls');
  const { week, funnel } = overview.data ?? {};
  const isEmpty = health?.isFirstRun && funnel?.people === 0;
  const { items = [], count = 0 } = attention.data ?? {};
  const stopping = items.filter(({ kind }) => stopsEverybody(kind));
  const called = calls.data?.people.filter(({ kind }) => isPayer(kind)) ?? [];
  const others = items.filter(
    (item) =>
      !stopping.includes(item) &&
      !(isPayer(item.kind) && called.some(({ email }) => email === item.email)),
  );
  const left = count - items.length + others.length;
  const issue = nextIssue(now);
  return (
    <>
      <ViewHead title="Overview" range={formatLongDate(now)} />
      {/* Shown together, because late parts would move the text during reading. */}
      {[attention, overview, history, calls].some(({ data, failure }) => !data && !failure) ? (
        <Loading of="the overview" />
      ) : (
        <div className={styles.overview}>
          {stopping.length > 0 && (
            <Attention
              title="Stops everybody"
              items={stopping}
              count={stopping.length}
              reload={attention.reload}
            />
          )}
          <LoadState of="the months" {...history} />
          <LoadState of="the figures" {...overview} />
          {isEmpty ? (
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
              <CallToday {...calls} />
            </>
          )}
          <Attention title="Needs attention" items={others} count={left} reload={attention.reload}>
            <LoadState of="what needs attention" {...attention} />
            {attention.data && left === 0 && <p className={kinds.calm}>Nothing needs attention.</p>}
          </Attention>
          {!isEmpty && (
            <>
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
