import { addDays, formatIssueTime, formatLongDate, nextIssue } from '@site/schema/calendar';
import type { Receipt } from '@site/schema/calls/visitor';
import { OFFER } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { useNow } from '../../site/use-now.ts';
import styles from './ThankYouPage.module.css';

/**
 * Cards for the trial, the next issue and direct access, with the dates of the receipt if there is
 * one.
 */
export function Cards({ receipt }: { receipt: Receipt | undefined }) {
  const issue = nextIssue(useNow());
  return (
    <dl className={styles.part}>
      <Card name={`${OFFER.trialDays}-day trial`}>{trialText(receipt)}</Card>
      <Card name="Next issue">
        {`Issue #${issue.number}, ${formatLongDate(issue.at)}, ${formatIssueTime(issue.at)}, ` +
          `with ${OFFER.opportunitiesPerIssue} opportunities.`}
      </Card>
      <Card name="Direct access">
        Every lead names the liquidator, practitioner or owner who decides.
      </Card>
    </dl>
  );
}

function Card({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.card}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function trialText(receipt: Receipt | undefined): string {
  if (!receipt) {
    return (
      `Free for ${OFFER.trialDays} days. Refunded in full if you ask within ` +
      `${OFFER.guaranteeDays} days of the day your trial begins; refunds take ` +
      `${OFFER.refundBusinessDays} business days.`
    );
  }
  const guaranteedTo = formatLongDate(addDays(new Date(receipt.startedAt), OFFER.guaranteeDays));
  const begins = receipt.firstChargeAt
    ? `Ends ${formatLongDate(new Date(receipt.firstChargeAt), true)}.`
    : 'You have already had a trial, so this subscription began at once.';
  return (
    `${begins} The ${OFFER.guaranteeDays}-day guarantee runs to ${guaranteedTo}; refunds take ` +
    `${OFFER.refundBusinessDays} business days.`
  );
}
