import { maxCounted } from '@site/schema/calls/leads';
import type { LeadCounts, SubscriberCounts } from '@site/schema/calls/leads';
import type { FormType } from '@site/schema/lead';
import { Link } from 'react-router-dom';
import { SUBSCRIBER_STATE_LABELS } from '@site/schema/labels';
import { toQuery, withoutStatus } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { formatCount } from '../shared/format.ts';
import styles from './Counters.module.css';

type CountersProps = {
  filter: ListFilter;
  counts: LeadCounts | undefined;
  /** The sent leads by Beehiiv's status. */
  subscribers: SubscriberCounts | undefined;
  isCapped: boolean;
};

/**
 * Renders the filter's four counters. Each links to exactly the leads that it counts, if the filter
 * has any.
 */
export function Counters({ filter, counts, subscribers, isCapped }: CountersProps) {
  const { formType, status } = filter;
  // A status filters the list and not the counters, so the leads behind a counter have any status.
  const counted = withoutStatus(filter);
  const toForm = (form: FormType) =>
    formType === undefined || formType === form ? { ...counted, formType: form } : undefined;
  const counters = [
    { label: 'Total Leads', name: 'total', to: counted },
    { label: 'Pre-Sample', name: 'preSample', to: toForm('pre_sample') },
    { label: 'Pre-Buy', name: 'preBuy', to: toForm('pre_buy') },
    { label: 'Beehiiv Sent', name: 'beehiivSent', to: { ...filter, status: 'sent' } },
  ] as const;
  const ofForm = formType === 'pre_sample' ? 'preSample' : formType && 'preBuy';
  const current = status === undefined ? (ofForm ?? 'total') : status === 'sent' && 'beehiivSent';
  return (
    <nav className={styles.frame} aria-label="Counters">
      <ul className={styles.counters}>
        {counters.map(({ label, name, to }) => {
          const content = (
            <>
              <span className={styles.label}>{label}</span>
              <span className="figure">{counts ? formatCount(counts[name], isCapped) : '–'}</span>
            </>
          );
          return (
            <li key={name} className={styles.counter}>
              {to ? (
                <Link to={{ search: toQuery(to) }} aria-current={name === current || undefined}>
                  {content}
                </Link>
              ) : (
                <span>{content}</span>
              )}
            </li>
          );
        })}
      </ul>
      {subscribers && (
        <SubscriberStates filter={filter} subscribers={subscribers} isCapped={isCapped} />
      )}
    </nav>
  );
}

const STATES = ['confirmed', 'awaiting', 'checking', 'rejected', 'unsubscribed', 'other'] as const;

type StatesProps = Pick<CountersProps, 'filter' | 'isCapped'> & { subscribers: SubscriberCounts };

/** Counts the sent leads by their subscriber's state at Beehiiv, each count a link to the leads. */
function SubscriberStates({ filter, subscribers, isCapped }: StatesProps) {
  const shown = STATES.filter((state) => subscribers[state] > 0);
  return (
    <p className={styles.states}>
      {isCapped && <span>of {formatCount(maxCounted(filter))} of them</span>}
      {shown.map((state) =>
        state === 'other' ? (
          <span key={state}>
            <strong>{formatCount(subscribers[state])}</strong> accepted
          </span>
        ) : (
          <Link
            key={state}
            to={{ search: toQuery({ ...withoutStatus(filter), subscriber: state }) }}
          >
            <strong>{formatCount(subscribers[state])}</strong> {SUBSCRIBER_STATE_LABELS[state]}
          </Link>
        ),
      )}
    </p>
  );
}
