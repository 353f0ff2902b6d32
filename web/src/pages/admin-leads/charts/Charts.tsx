import { MOST_CHARTED } from '@site/schema/console';
import type { ChartsAnswer } from '@site/schema/console';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import { everyDay } from './chart-days.ts';
import { nameSource } from './chart-labels.ts';
import { ChartColumns } from './ChartColumns.tsx';
import { ChartRows } from './ChartRows.tsx';
import styles from './Charts.module.css';
import { toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { SUBSCRIBER_STATE_LABELS } from '../lead/lead-labels.ts';

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };

const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', timeZone: 'UTC' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' });

/** Leads by day, each column a link to its leads. */
export function DayChart({ filter, figures: { days } }: ChartProps) {
  const columns = everyDay(days).map(({ day, preSample, preBuy }) => {
    const at = new Date(`${day}T00:00:00Z`);
    const name = dayAndMonth.format(at);
    return {
      id: day,
      tick: dayOf.format(at),
      name,
      label: `${name}: ${formatCount(preSample + preBuy)}, ${formatCount(preSample)} Pre-Sample and ${formatCount(preBuy)} Pre-Buy`,
      figures: [preBuy, preSample],
      to: toQuery({ ...filter, startDate: day, endDate: day }),
    };
  });
  return (
    <ChartColumns
      title="Leads by day"
      series={[
        { name: 'Pre-Buy', tone: 'buy' },
        { name: 'Pre-Sample', tone: 'sample' },
      ]}
      columns={columns}
    />
  );
}

type SourceChartProps = ChartProps & { aside?: ReactNode };

/** Leads by source, each bar a link to its leads. */
export function SourceChart({ filter, figures: { sources, isCapped }, aside }: SourceChartProps) {
  const rows = sources.map((row) => ({
    id: row.isRest ? 'rest' : (row.source ?? ''),
    name: nameSource(row),
    figures: [row.preSample, row.preBuy],
    sum: formatCount(row.preSample + row.preBuy),
    ...(row.source === null ? {} : { to: toQuery({ ...filter, source: row.source }) }),
  }));
  const note = isCapped ? `Of the newest ${formatCount(MOST_CHARTED)} leads.` : undefined;
  return <ChartRows title="By source" aside={aside} tones={['sample', 'buy']} rows={rows} note={note} />;
}

/** Monthly revenue of paid subscriptions by source, each bar a link to the leads of the source. */
export function RevenueChart({ filter, figures: { revenue } }: ChartProps) {
  const rows = revenue.map(({ source, monthlyPence }) => ({
    id: source ?? '',
    name: nameSource({ source }),
    figures: [monthlyPence],
    sum: formatPence(monthlyPence, true),
    ...(source === null ? {} : { to: toQuery({ ...filter, source }) }),
  }));
  return <ChartRows title="Revenue by source" tones={['buy']} rows={rows} />;
}

const STATES = ['confirmed', 'awaiting', 'rejected', 'unsubscribed'] as const;

/** How many sent leads have a subscriber in each state at Beehiiv, each a link to the leads. */
export function SubscriberLinks({ filter, figures: { subscribers, isCapped } }: ChartProps) {
  return (
    <p className={styles.subscribers}>
      {isCapped ? `Newest ${formatCount(MOST_CHARTED)} at Beehiiv:` : 'At Beehiiv:'}{' '}
      {STATES.filter((state) => subscribers[state] > 0 || state === 'confirmed').map((state) => (
        <Link key={state} to={{ search: toQuery({ ...filter, status: undefined, subscriber: state }) }}>
          {formatCount(subscribers[state])} {SUBSCRIBER_STATE_LABELS[state]}
        </Link>
      ))}
    </p>
  );
}

/** Beehiiv's answers in each of the last 24 hours. */
export function HourChart({ figures: { hours } }: Pick<ChartProps, 'figures'>) {
  const columns = hours.map(({ at, accepted, permanent, willRetry }) => {
    const hour = clock.format(new Date(at));
    return {
      id: at,
      tick: hour,
      name: `${hour}:00`,
      label: `${hour}:00: ${formatCount(accepted)} accepted, ${formatCount(permanent)} permanent failures, ${formatCount(willRetry)} will retry`,
      figures: [accepted, permanent, willRetry],
    };
  });
  return (
    <ChartColumns
      title="Answers by hour"
      series={[
        { name: 'Accepted', tone: 'sent' },
        { name: 'Permanent failure', tone: 'failed' },
        { name: 'Will retry', tone: 'pending' },
      ]}
      columns={columns}
    />
  );
}
