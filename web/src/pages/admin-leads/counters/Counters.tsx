import type { LeadCounts } from '@site/schema/admin';
import { Link } from 'react-router-dom';
import { formatCount } from '../elements/format-count.ts';
import styles from './Counters.module.css';
import { isNarrowed, toQuery } from '../filters/filter-params.ts';
import type { ListFilter } from '../filters/filter-params.ts';
import { countDays } from '../filters/filter-labels.ts';
import { FORM_TYPE_NAMES } from '../lead/lead-labels.ts';
import { ShareBar } from './ShareBar.tsx';
import type { SharePart } from './ShareBar.tsx';

type CountersProps = { filter: ListFilter; counts: LeadCounts | undefined; isCapped: boolean };
type CounterName = keyof LeadCounts;

const FORM_COUNTERS = [
  { name: 'preSample', formType: 'pre_sample', tone: 'sample' },
  { name: 'preBuy', formType: 'pre_buy', tone: 'buy' },
] as const;

/** The filter's four counters. Each links to exactly the leads that it counts. */
export function Counters({ filter, counts, isCapped }: CountersProps) {
  const current = findCurrent(filter);
  // A status filters the list and not the counters, so the leads behind a counter have any status.
  const counted = { ...filter, status: undefined };
  const shares = counts && counts.total > 0 && !isCapped ? toShares(counts) : undefined;
  return (
    <nav aria-label="Counters">
      <ul className={styles.counters} data-long={isLong(counts, isCapped) || undefined}>
        <Counter
          label="Total Leads"
          count={counts?.total}
          isCapped={isCapped}
          to={counted}
          isCurrent={current === 'total'}
          note={describePace(filter, counts)}
          parts={
            shares && [
              { share: shares.preSample, tone: 'sample' },
              { share: shares.preBuy, tone: 'buy' },
            ]
          }
        />
        {FORM_COUNTERS.map(({ name, formType, tone }) => {
          const isExcluded = filter.formType !== undefined && filter.formType !== formType;
          return (
            <Counter
              key={name}
              label={FORM_TYPE_NAMES[formType]}
              count={counts?.[name]}
              isCapped={isCapped}
              to={isExcluded ? undefined : { ...counted, formType }}
              isCurrent={current === name}
              note={isExcluded ? 'excluded by Form Type' : describeShare(shares?.[name])}
              reset={
                filter.formType === formType
                  ? { label: 'Show All Forms', to: { ...counted, formType: undefined } }
                  : undefined
              }
              parts={shares && [{ share: shares[name], tone }]}
            />
          );
        })}
        <Counter
          label="Beehiiv Sent"
          count={counts?.beehiivSent}
          isCapped={isCapped}
          to={{ ...filter, status: 'sent' }}
          isCurrent={current === 'beehiivSent'}
          note={describeShare(shares?.beehiivSent)}
          reset={
            filter.status === 'sent' ? { label: 'Show all statuses', to: { ...filter, status: undefined } } : undefined
          }
          parts={shares && [{ share: shares.beehiivSent, tone: 'sent' }]}
        />
      </ul>
    </nav>
  );
}

type CounterProps = {
  label: string;
  count: number | undefined;
  /** There are more than the count. */
  isCapped: boolean;
  /** The filter of its leads; undefined where the current filter excludes them. */
  to: ListFilter | undefined;
  isCurrent: boolean;
  note: string | undefined;
  reset?: { label: string; to: ListFilter } | undefined;
  parts: readonly SharePart[] | undefined;
};

function Counter({ label, count, isCapped, to, isCurrent, note, reset, parts }: CounterProps) {
  const content = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.figure}>{count === undefined ? '–' : formatCount(count, isCapped)}</span>
    </>
  );
  return (
    <li className={styles.counter} data-current={isCurrent || undefined}>
      {to ? (
        <Link className={styles.link} to={{ search: toQuery(to) }} aria-current={isCurrent || undefined}>
          {content}
        </Link>
      ) : (
        <span className={styles.link} data-idle>
          {content}
        </span>
      )}
      <span className={styles.bar}>{parts && <ShareBar parts={parts} />}</span>
      <span className={styles.note}>
        {reset ? <Link to={{ search: toQuery(reset.to) }}>{reset.label}</Link> : note}
      </span>
    </li>
  );
}

/** From 100,000 the counters need a smaller font to fit beside each other. */
const SHORT_SIGNS = 6;
const isLong = (counts: LeadCounts | undefined, isCapped: boolean) =>
  counts !== undefined && Object.values(counts).some((count) => formatCount(count, isCapped).length > SHORT_SIGNS);

function findCurrent({ formType, status }: ListFilter): CounterName | undefined {
  if (status !== undefined) return status === 'sent' ? 'beehiivSent' : undefined;
  if (formType === undefined) return 'total';
  return formType === 'pre_sample' ? 'preSample' : 'preBuy';
}

function toShares({ total, ...parts }: LeadCounts) {
  return { preSample: parts.preSample / total, preBuy: parts.preBuy / total, beehiivSent: parts.beehiivSent / total };
}

function describeShare(share: number | undefined): string | undefined {
  if (share === undefined) return undefined;
  const percent = share * 100;
  // Rounding must not say 0% or 100% where that is not quite so.
  if (percent > 99 && percent < 100) return 'over 99% of all';
  if (percent > 0 && percent < 1) return 'under 1% of all';
  return `${Math.round(percent)}% of all`;
}

function describePace(filter: ListFilter, counts: LeadCounts | undefined): string | undefined {
  const days = countDays(filter);
  if (!counts) return undefined;
  if (days === undefined || days === 1) return isNarrowed(filter) ? 'in this filter' : 'all dates';
  const perDay = counts.total / days;
  return `${perDay.toLocaleString('en-GB', { maximumFractionDigits: perDay < 10 ? 1 : 0 })} a day`;
}
