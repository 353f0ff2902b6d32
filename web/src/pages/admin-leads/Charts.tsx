import type { ChartsAnswer } from '@site/schema/console';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import styles from './Charts.module.css';
import { toQuery } from './filter-params.ts';
import type { ListFilter } from './filter-params.ts';
import { READER_STATE_WORDS } from './lead-words.ts';

type ChartProps = { filter: ListFilter; figures: ChartsAnswer };

const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', timeZone: 'UTC' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const words = (n: number) => n.toLocaleString('en-GB');

/** Leads by day, each bar a link to its rows. */
export function DayChart({ filter, figures: { days } }: ChartProps) {
  const most = Math.max(1, ...days.map(({ preSample, preBuy }) => preSample + preBuy));
  return (
    <Chart
      title="Leads by day"
      legend={
        <>
          <span data-tone="sample">Pre-Sample</span> <span data-tone="buy">Pre-Buy</span>
        </>
      }
    >
      <ol className={styles.columns}>
        {days.map(({ day, preSample, preBuy }) => {
          const at = new Date(`${day}T00:00:00Z`);
          const total = preSample + preBuy;
          const label = `${dayAndMonth.format(at)}: ${words(total)}, ${words(preSample)} Pre-Sample and ${words(preBuy)} Pre-Buy`;
          return (
            <li key={day}>
              <Link
                to={{ search: toQuery({ ...filter, startDate: day, endDate: day }) }}
                aria-label={label}
                title={label}
              >
                <span className={styles.column} aria-hidden="true">
                  <span data-tone="sample" style={{ height: `${(preSample / most) * 100}%` }} />
                  <span data-tone="buy" style={{ height: `${(preBuy / most) * 100}%` }} />
                </span>
                <span className={styles.tick} aria-hidden="true">
                  {dayOf.format(at)}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
    </Chart>
  );
}

/** Leads by source, each bar a link to its rows. */
export function SourceChart({ filter, figures: { sources } }: ChartProps) {
  const most = Math.max(1, ...sources.map(({ preSample, preBuy }) => preSample + preBuy));
  return (
    <Chart title="By source">
      <ul className={styles.rows}>
        {sources.map(({ source, isRest, preSample, preBuy }) => {
          const name = source ?? (isRest ? 'all others' : '(none)');
          const bar = (
            <>
              <bdi className={styles.name}>{name}</bdi>
              <span className={styles.track} aria-hidden="true">
                <span data-tone="sample" style={{ width: `${(preSample / most) * 100}%` }} />
                <span data-tone="buy" style={{ width: `${(preBuy / most) * 100}%` }} />
              </span>
              <span className={styles.figure}>{words(preSample + preBuy)}</span>
            </>
          );
          return (
            <li key={isRest ? 'rest' : (source ?? '')}>
              {source === null ? (
                <span className={styles.row}>{bar}</span>
              ) : (
                <Link className={styles.row} to={{ search: toQuery({ ...filter, source }) }} title={`Show ${name}`}>
                  {bar}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Chart>
  );
}

const READERS = ['confirmed', 'waiting', 'rejected', 'left'] as const;

/** How the readers of sent leads stand at Beehiiv, each a link to its rows. */
export function ReaderLinks({ filter, figures: { readers } }: ChartProps) {
  return (
    <p className={styles.readers}>
      At Beehiiv:{' '}
      {READERS.filter((state) => readers[state] > 0 || state === 'confirmed').map((state) => (
        <Link key={state} to={{ search: toQuery({ ...filter, status: undefined, reader: state }) }}>
          {words(readers[state])} {READER_STATE_WORDS[state]}
        </Link>
      ))}
    </p>
  );
}

/** What Beehiiv answered, hour by hour. */
export function HourChart({ figures: { hours } }: Pick<ChartProps, 'figures'>) {
  const sum = (hour: ChartsAnswer['hours'][number]) => hour.accepted + hour.refused + hour.putOff;
  const most = Math.max(1, ...hours.map(sum));
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Europe/London' });
  return (
    <Chart
      title="Answers by hour"
      legend={
        <>
          <span data-tone="sent">accepted</span> <span data-tone="failed">refused</span>{' '}
          <span data-tone="pending">put off</span>
        </>
      }
    >
      <ol className={styles.columns}>
        {hours.map((hour) => {
          const label = `${clock.format(new Date(hour.at))} o’clock: ${words(hour.accepted)} accepted, ${words(hour.refused)} refused, ${words(hour.putOff)} put off`;
          return (
            <li key={hour.at} title={label}>
              <span className="visually-hidden">{label}</span>
              <span className={styles.column} aria-hidden="true">
                <span data-tone="pending" style={{ height: `${(hour.putOff / most) * 100}%` }} />
                <span data-tone="failed" style={{ height: `${(hour.refused / most) * 100}%` }} />
                <span data-tone="sent" style={{ height: `${(hour.accepted / most) * 100}%` }} />
              </span>
              <span className={styles.tick} aria-hidden="true">
                {clock.format(new Date(hour.at))}
              </span>
            </li>
          );
        })}
      </ol>
    </Chart>
  );
}

function Chart({ title, legend, children }: { title: string; legend?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.chart} aria-label={title}>
      <h3 className={styles.title}>
        {title} <span className={styles.legend}>{legend}</span>
      </h3>
      {children}
    </section>
  );
}
