import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { formatMoney } from '@site/schema/currency';
import { STAGE_NAMES } from '../lead/lead-labels.ts';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { describeDunning, describeEvidence } from '../money/money-labels.ts';
import styles from './Drawer.module.css';

type MoneyVerdictProps = { subscription: LeadSubscription; now: Date };

/** What is wrong with a subscription's payments, as lines of the verdict: an open dispute, a charge that failed. */
export function MoneyVerdict({ subscription, now }: MoneyVerdictProps) {
  const { openDispute, currency, stage } = subscription;
  return (
    <>
      {openDispute && (
        <p className={styles.verdict} data-tone="failed">
          <STATUS_ICONS.failed />
          <strong>{STAGE_NAMES.disputed}</strong>
          <span>
            {formatMoney(openDispute.amountPence, currency)}, {describeEvidence(openDispute, now)}.{' '}
            <a href={openDispute.dashboardUrl} target="_blank" rel="noreferrer">
              Answer in Stripe
            </a>
          </span>
        </p>
      )}
      {stage === 'dunning' && (
        <p className={styles.verdict} data-tone="pending">
          <STATUS_ICONS.pending />
          <strong>{STAGE_NAMES.dunning}</strong>
          <span>{describeDunning(subscription, now)}.</span>
        </p>
      )}
    </>
  );
}
