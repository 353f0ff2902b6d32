import type { DeliveryAnswer, SyncHealthAnswer } from '@site/schema/calls/sync';
import { OUTAGE_KINDS } from '@site/schema/sync-state';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { describeSpan, formatDay, labelDay } from '../shared/chart-labels.ts';
import { ChartColumns } from '../shared/ChartColumns.tsx';
import { countOf, formatCount } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { describeDuration, describeMoment, formatDuration } from '../shared/london-time.ts';
import figureStyles from './Figures.module.css';
import styles from './SyncView.module.css';

type DeliveryProps = { delivery: DeliveryAnswer; health: SyncHealthAnswer; now: Date };

/** What has become of the leads of the last days. Each figure opens exactly its leads. */
export function Delivery({ delivery, health, now }: DeliveryProps) {
  const { days, sentToday, failed, total, lastSentAt } = delivery;
  // While nothing is sent, nobody knows how long it takes.
  const usualWait = OUTAGE_KINDS.some((kind) => kind === health.state) ? null : delivery.usualWait;
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  const { pending, oldestPendingAt } = health;
  const last14 = { startDate: first, endDate: last };
  const linkTo = (count: number, filter: ListFilter) => (count === 0 ? undefined : toQuery(filter));
  const lastSent = lastSentAt && describeMoment(lastSentAt, now);
  const sent = days.reduce((sum, day) => sum + day.sent, 0);
  if (pending + total === 0 && lastSentAt === null) {
    return (
      <section aria-labelledby="delivery">
        <SectionHead id="delivery" title="Delivery" />
        <p>No leads yet. Each is followed here from the first one on.</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="delivery">
      <SectionHead id="delivery" title="Delivery" aside={describeSpan(days)} />
      <div className={styles.delivery}>
        <dl className={figureStyles.row} aria-label="Delivery">
          <Figure
            name="Waiting"
            value={formatCount(pending)}
            to={linkTo(pending, { status: 'pending', sort: 'oldest' })}
          >
            {oldestPendingAt
              ? `the longest for ${describeDuration(now.getTime() - Date.parse(oldestPendingAt))}`
              : 'Nothing is waiting.'}
          </Figure>
          <Figure
            name="Sent today"
            value={formatCount(sentToday)}
            to={linkTo(sentToday, { status: 'sent', startDate: last, endDate: last })}
          >
            {lastSent ? `the last: ${lastSent}` : 'nothing has been sent yet'}
          </Figure>
          <Figure
            name="Failed"
            value={formatCount(failed)}
            to={linkTo(failed, { status: 'failed', ...last14 })}
          >
            {`never sent, ${describeShare(failed, total)} of ${countOf(total, 'lead')}`}
          </Figure>
          <Figure name="Usual wait" value={usualWait ? formatDuration(usualWait.medianMs) : '–'}>
            {usualWait
              ? `nearly always within ${formatDuration(usualWait.p95Ms).replaceAll(' ', '\u00a0')}`
              : `nothing has been sent ${lastSent ? `since ${lastSent}` : 'yet'}`}
          </Figure>
        </dl>
        <ChartColumns
          title="Sent and failed by day"
          isEmpty={sent + failed === 0}
          empty="No leads were sent in these days."
          series={[
            { name: 'Sent', tone: 'sent', total: sent },
            { name: 'Failed', tone: 'failed', total: failed },
          ]}
          columns={days.map(({ day, sent, failed }) => ({
            id: day,
            ...labelDay(day),
            label: `${formatDay(day)}: ${formatCount(sent)} sent, ${formatCount(failed)} failed`,
            figures: [sent, failed],
            to: toQuery({ startDate: day, endDate: day }),
          }))}
        />
      </div>
    </section>
  );
}

type FigureProps = { name: string; value: string; to?: string | undefined; children: ReactNode };

/** From here on a figure needs a smaller font to stay in its place. */
const LONG_SIGNS = 9;

/** A figure. Where there are leads, all of it is a link to them. */
function Figure({ name, value, to, children }: FigureProps) {
  return (
    <div>
      <dt>
        <span>{to === undefined ? name : <Link to={{ search: to }}>{name}</Link>}</span>
      </dt>
      <dd className={figureStyles.figure} data-long={value.length > LONG_SIGNS || undefined}>
        {value}
      </dd>
      <dd className={figureStyles.note}>{children}</dd>
    </div>
  );
}

const describeShare = (part: number, whole: number) =>
  `${whole === 0 ? 0 : ((100 * part) / whole).toLocaleString('en-GB', { maximumFractionDigits: part * 100 < whole ? 1 : 0 })}%`;
