import { addDays, formatIssueTime, formatLongDate, nextIssue } from '@site/schema/calendar';
import type { Receipt } from '@site/schema/checkout';
import { OFFER } from '@site/schema/offer';
import { useNow } from '../../site/use-now.ts';
import { NoBreak } from '../../ui/NoBreak.tsx';
import styles from './ThankYouPage.module.css';

/** The trial, the next issue and the direct access, with the dates that are known. */
export function Cards({ receipt }: { receipt: Receipt | undefined }) {
  const issue = nextIssue(useNow());
  const cards = [
    { name: `${OFFER.trialDays}-day trial`, text: trialText(receipt) },
    {
      name: 'Next issue',
      text: `Issue #${issue.number}, ${formatLongDate(issue.at)}, ${formatIssueTime(issue.at)}, with ${OFFER.opportunitiesPerIssue} opportunities.`,
    },
    {
      name: 'Direct access',
      text: 'Every lead names the liquidator, practitioner or owner who decides. Past issues are open to you now.',
    },
  ];
  return (
    <dl className={styles.cards}>
      {cards.map(({ name, text }) => (
        <div key={name} className={styles.card}>
          <dt>{name}</dt>
          <dd>
            <NoBreak>{text}</NoBreak>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function trialText(receipt: Receipt | undefined): string {
  const refunds = `refunds take ${OFFER.refundBusinessDays} business days.`;
  if (!receipt) {
    return `Nothing is charged in the first ${OFFER.trialDays} days. After them the ${OFFER.guaranteeDays}-day guarantee holds; ${refunds}`;
  }
  const guaranteedTo = formatLongDate(addDays(new Date(receipt.startedAt), OFFER.guaranteeDays));
  if (receipt.firstChargeAt === null) {
    return `You have had yours, so this subscription began at once. The ${OFFER.guaranteeDays}-day guarantee runs to ${guaranteedTo}; ${refunds}`;
  }
  const ends = formatLongDate(new Date(receipt.firstChargeAt), true);
  return `Ends ${ends}. After it the ${OFFER.guaranteeDays}-day guarantee runs to ${guaranteedTo}; ${refunds}`;
}
