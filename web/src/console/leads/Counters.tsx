import type { LeadCounts } from '@site/schema/calls/leads';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatCount } from '../shared/format-count.ts';
import styles from './Counters.module.css';
import { isNarrowed, toQuery } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { FORM_TYPE_NAMES } from '../lead/lead-labels.ts';
import { describePace } from './pace.ts';
import type { LeadsOfDay } from './pace.ts';

type CountersProps = {
  filter: ListFilter;
  counts: LeadCounts | undefined;
  isCapped: boolean;
  /** The leads by day, for the pace of a filter without dates. */
  days?: readonly LeadsOfDay[] | undefined;
  /** What Beehiiv says of the sent leads, beside their number. */
  states?: ReactNode;
};
type CounterName = keyof LeadCounts;

const FORM_COUNTERS = [
  { name: 'preSample', formType: 'pre_sample' },
  { name: 'preBuy', formType: 'pre_buy' },
] as const;

/** The filter's four counters. Each links to exactly the leads that it counts. */
export function Counters({ filter, counts, isCapped, days, states }: CountersProps) {
  const current = findCurrent(filter);
  // A status filters the list and not the counters, so the leads behind a counter have any status.
  const counted = { ...filter, status: undefined };
  const describe = (name: CounterName) => ({
    count: counts && formatCount(counts[name], isCapped),
    isCurrent: current === name,
    note:
      counts && counts.total > 0 && !isCapped
        ? `${describeShare(counts[name] / counts.total)} of ${isNarrowed(counted) ? 'these' : 'all'}`
        : undefined,
  });
  return (
    <nav className={styles.frame} aria-label="Counters">
      <ul
        className={styles.counters}
        data-empty={counts?.total === 0 ? (isNarrowed(filter) ? 'search' : 'all') : undefined}
        data-long={isLong(counts, isCapped) || undefined}
      >
        <Counter
          {...describe('total')}
          label="Total Leads"
          to={counted}
          note={describePace(filter, counts, days)}
        />
        {FORM_COUNTERS.map(({ name, formType }) => (
          <Counter
            key={name}
            {...describe(name)}
            label={FORM_TYPE_NAMES[formType]}
            {...(filter.formType === undefined || filter.formType === formType
              ? { to: { ...counted, formType } }
              : { note: 'filtered out' })}
            {...(filter.formType === formType && {
              reset: ['Show All Forms', { ...counted, formType: undefined }],
            })}
          />
        ))}
        <Counter
          {...describe('beehiivSent')}
          label="Beehiiv Sent"
          to={{ ...filter, status: 'sent' }}
          {...(filter.status === 'sent' && { reset: ['Show all statuses', counted] })}
          more={states}
        />
      </ul>
    </nav>
  );
}

type CounterProps = {
  label: string;
  count: string | undefined;
  /** The filter of its leads. Absent where the current filter excludes them. */
  to?: ListFilter;
  isCurrent: boolean;
  note: string | undefined;
  /** In place of the note, a link that removes the filter by this counter. */
  reset?: [label: string, to: ListFilter];
  more?: ReactNode;
};

function Counter({ label, count = '–', to, isCurrent, note, reset, more }: CounterProps) {
  const content = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.figure}>{count}</span>
    </>
  );
  return (
    <li className={styles.counter} data-current={isCurrent || undefined}>
      {to ? (
        <Link
          className={styles.link}
          to={{ search: toQuery(to) }}
          aria-current={isCurrent || undefined}
        >
          {content}
        </Link>
      ) : (
        <span className={styles.link} data-idle>
          {content}
        </span>
      )}
      <span className={styles.note}>
        {reset ? <Link to={{ search: toQuery(reset[1]) }}>{reset[0]}</Link> : note}
      </span>
      {more}
    </li>
  );
}

/** From 10,000 the counters need a smaller font to fit beside each other. */
const SHORT_SIGNS = 5;
const isLong = (counts: LeadCounts | undefined, isCapped: boolean) =>
  counts !== undefined &&
  Object.values(counts).some((count) => formatCount(count, isCapped).length > SHORT_SIGNS);

function findCurrent({ formType, status }: ListFilter): CounterName | undefined {
  if (status !== undefined) return status === 'sent' ? 'beehiivSent' : undefined;
  if (formType === undefined) return 'total';
  return formType === 'pre_sample' ? 'preSample' : 'preBuy';
}

function describeShare(share: number): string {
  const percent = share * 100;
  // Rounding must not say 0% or 100% where that is not quite so.
  if (percent > 99 && percent < 100) return 'over 99%';
  if (percent > 0 && percent < 1) return 'under 1%';
  return `${Math.round(percent)}%`;
}
