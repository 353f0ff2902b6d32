import type { DeliveryAnswer, SyncHealthAnswer } from '@site/schema/calls/sync';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { BulkRetries } from '../retry/BulkRetries.tsx';
import {
  countOf,
  formatDuration,
  toMomentText,
  toSpanText,
  formatCount,
  formatCalendarDay,
  labelDay,
} from '../shared/format.ts';
import { Chart } from '../shared/Chart.tsx';
import { toQuery } from '../shared/filter.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import { useNow } from '../shared/use-now.ts';
import figureStyles from './Figures.module.css';
import { Outages } from './Outages.tsx';
import { Parts } from './Parts.tsx';
import { Remedy } from './Remedy.tsx';
import styles from './SyncView.module.css';

/** The strip's interval, so that both show the same moment. */
const AGAIN_MS = 5_000;

/** Shows how leads reach Beehiiv, with failures and their remedies. */
export function SyncView() {
  const now = useNow(true);
  // The same data as the strip at the top of the console.
  const { data: health } = useApiData('GET /api/admin/sync', {}, { revalidateIfStale: false });
  const { data, failure, reload } = useApiData(
    'GET /api/admin/sync/delivery',
    {},
    { refreshInterval: AGAIN_MS },
  );
  return (
    <>
      <ViewHead title="Sync" range="from our forms and Stripe to Beehiiv" />
      <div className={styles.view}>
        {health?.conditions.map((condition) => (
          <Remedy
            key={`${condition.kind} ${condition.cause}`}
            condition={condition}
            health={health}
            now={now}
          />
        ))}
        <LoadState of="Sync" data={health && data} failure={failure} reload={reload} />
        {data && health && (
          <>
            <Delivery delivery={data} health={health} now={now} />
            <Parts delivery={data} health={health} now={now} />
            <Outages outages={data.outages} />
          </>
        )}
        <BulkRetries />
      </div>
    </>
  );
}

type DeliveryProps = { delivery: DeliveryAnswer; health: SyncHealthAnswer; now: Date };

/** Charts the leads of the last days. Each figure opens its leads. */
function Delivery({ delivery, health, now }: DeliveryProps) {
  const { days, sentToday, failed, total, lastSentAt } = delivery;
  const { pending, oldestPendingAt } = health;
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  return (
    <section aria-labelledby="delivery">
      <SectionHead id="delivery" title="Delivery" aside={toSpanText(days)} />
      <div className={styles.delivery}>
        <dl className={figureStyles.row} aria-label="Delivery">
          <Figure
            name="Waiting"
            value={formatCount(pending)}
            to={pending > 0 && toQuery({ status: 'pending', sort: 'oldest' })}
          >
            {oldestPendingAt
              ? `the longest for ${formatDuration(now.getTime() - Date.parse(oldestPendingAt))}`
              : pending === 0 && 'Nothing is waiting.'}
          </Figure>
          <Figure
            name="Sent today"
            value={formatCount(sentToday)}
            to={sentToday > 0 && toQuery({ status: 'sent', startDate: last, endDate: last })}
          >
            {lastSentAt ? `the last: ${toMomentText(lastSentAt, now)}` : 'nothing sent yet'}
          </Figure>
          <Figure
            name="Failed"
            value={formatCount(failed)}
            to={failed > 0 && toQuery({ status: 'failed', startDate: first, endDate: last })}
          >
            of {countOf(total, 'lead')}
          </Figure>
        </dl>
        <Chart
          title="Sent and failed by day"
          empty="No leads were sent in these days."
          series={[
            { name: 'Sent', tone: 'sent' },
            { name: 'Failed', tone: 'failed' },
          ]}
          columns={days.map(({ day, sent, failed }) => ({
            id: day,
            tick: labelDay(day),
            label:
              `${formatCalendarDay(day)}: ${formatCount(sent + failed)}, ${formatCount(sent)} ` +
              `sent and ${formatCount(failed)} failed`,
            figures: [sent, failed],
            to: toQuery({ startDate: day, endDate: day }),
          }))}
        />
      </div>
    </section>
  );
}

type FigureProps = { name: string; value: string; to?: string | false; children: ReactNode };

/** Renders a figure, which is a link to its leads if it has any. */
function Figure({ name, value, to, children }: FigureProps) {
  return (
    <div>
      <dt>
        <span>{to ? <Link to={{ search: to }}>{name}</Link> : name}</span>
      </dt>
      <dd className="figure">{value}</dd>
      <dd className={figureStyles.note}>{children}</dd>
    </div>
  );
}
