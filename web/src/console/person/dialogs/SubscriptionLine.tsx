import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { formatPence } from '@site/schema/offer';
import styles from '../../shared/dialog.module.css';
import { formatDate, formatDated } from '../../shared/london-time.ts';

/** `Monthly, £239.00, one of two, begun on 3 Dec 2025, 09:31`: which subscription a dialog asks about. */
export function SubscriptionLine({ subscription }: { subscription: LeadSubscription }) {
  const { plan, amountPence, startedAt, other } = subscription;
  return (
    <p className={styles.words}>
      {plan === 'annual' ? 'Yearly' : 'Monthly'}, {formatPence(amountPence, true)}
      {other && ', one of two'}
      {startedAt !== null &&
        `, begun on ${(other ? formatDated : formatDate)(new Date(startedAt))}`}
    </p>
  );
}

/** What becomes of the person's other subscription. Empty without one. */
export function describeOther({ other }: LeadSubscription): string {
  if (other === null) return '';
  return `Their other subscription ${other.until === null ? 'continues' : `runs until ${formatDated(new Date(other.until))}`}.`;
}
