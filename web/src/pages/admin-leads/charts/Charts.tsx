import type { ChartsAnswer } from '@site/schema/console';
import { formatPence } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
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
const words = (n: number) => n.toLocaleString('en-GB');

/** Leads by day, each column a link to its rows. */
export function DayChart({ filter, figures: { days } }: ChartProps) {
  const columns = everyDay(days).map(({ day, preSample, preBuy }) => {
    const at = new Date(`${day}T00:00:00Z`);
    const name = dayAndMonth.format(at);
    return {
      id: day,
      tick: dayOf.format(at),
      name,
      label: `${name}: ${words(preSample + preBuy)}, ${words(preSample)} Pre-Sample and ${words(preBuy)} Pre-Buy`,
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

/** Leads by source, each bar a link to its rows. */
export function SourceChart({ filter, figures: { sources }, aside }: SourceChartProps) {
  const rows = sources.map((row) => ({
    id: row.isRest ? 'rest' : (row.source ?? ''),
    name: nameSource(row),
    figures: [row.preSample, row.preBuy],
    sum: words(row.preSample + row.preBuy),
    ...(row.source === null ? {} : { to: toQuery({ ...filter, source: row.source }) }),
  }));
  return <ChartRows title="By source" aside={aside} tones={['sample', 'buy']} rows={rows} />;
}

/** What paid subscriptions bring in a month by source, each bar a link to the rows that they came from. */
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

/** The states of sent leads' subscribers at Beehiiv, each a link to its rows. */
export function SubscriberLinks({ filter, figures: { subscribers } }: ChartProps) {
  return (
    <p className={styles.subscribers}>
      At Beehiiv:{' '}
      {STATES.filter((state) => subscribers[state] > 0 || state === 'confirmed').map((state) => (
        <Link key={state} to={{ search: toQuery({ ...filter, status: undefined, subscriber: state }) }}>
          {words(subscribers[state])} {SUBSCRIBER_STATE_LABELS[state]}
        </Link>
      ))}
    </p>
  );
}

/** What Beehiiv answered, hour by hour. */
export function HourChart({ figures: { hours } }: Pick<ChartProps, 'figures'>) {
  const columns = hours.map(({ at, accepted, permanent, willRetry }) => {
    const hour = clock.format(new Date(at));
    return {
      id: at,
      tick: hour,
      name: `${hour}:00`,
      label: `${hour} o’clock: ${words(accepted)} accepted, ${words(permanent)} permanent failures, ${words(willRetry)} will retry`,
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
