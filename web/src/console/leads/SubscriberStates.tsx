import { maxCounted } from '@site/schema/calls/leads';
import type { SubscriberCounts } from '@site/schema/calls/leads';
import { Link } from 'react-router-dom';
import { formatCount } from '../shared/format-count.ts';
import { toQuery, withoutStatus } from '../shared/filter-params.ts';
import type { ListFilter } from '../shared/filter-params.ts';
import { SUBSCRIBER_STATE_LABELS } from '../lead/lead-labels.ts';
import styles from './SubscriberStates.module.css';

type SubscriberStatesProps = {
  filter: ListFilter;
  subscribers: SubscriberCounts | undefined;
  isCapped: boolean;
};

const STATES = ['confirmed', 'awaiting', 'checking', 'rejected', 'unsubscribed', 'other'] as const;

/** How many sent leads have a subscriber in each state at Beehiiv, each a link to the leads. */
export function SubscriberStates({ filter, subscribers, isCapped }: SubscriberStatesProps) {
  // On a phone its line keeps its place, so that the search below does not move.
  if (!subscribers || (!isCapped && STATES.every((state) => subscribers[state] === 0)))
    return <p className={styles.states} />;
  return (
    <p className={styles.states}>
      {isCapped ? (
        <span className={styles.head}>of {formatCount(maxCounted(filter))} of them</span>
      ) : (
        <span className={styles.bar} aria-hidden="true">
          {STATES.filter((state) => subscribers[state] > 0).map((state) => (
            <span key={state} data-state={state} style={{ flexGrow: subscribers[state] }} />
          ))}
        </span>
      )}
      {STATES.filter((state) => subscribers[state] > 0).map((state) => {
        const words = (
          <>
            <strong>{formatCount(subscribers[state])}</strong>{' '}
            <span>{state === 'other' ? 'accepted' : SUBSCRIBER_STATE_LABELS[state]}</span>
          </>
        );
        return state === 'other' ? (
          <span key={state} className={styles.state}>
            {words}
          </span>
        ) : (
          <Link
            key={state}
            className={styles.state}
            to={{ search: toQuery({ ...withoutStatus(filter), subscriber: state }) }}
          >
            {words}
          </Link>
        );
      })}
    </p>
  );
}
