import { addDays, formatIssueTime, formatLongDate, nextIssue } from '@site/schema/calendar';
import { formatPence, OFFER } from '@site/schema/offer';
import { shownOffer } from '../site/shown-offer.ts';
import { SupportLink } from '../site/SupportLink.tsx';
import { useNow } from '../site/use-now.ts';
import { siteSettings } from '../site-settings.ts';
import sheet from '../ui/Sheet.module.css';
import { Sum } from '../ui/Sum.tsx';
import styles from './NextSteps.module.css';

/** Lists the steps after the button, with dates and amounts, and the use of the details. */
export function NextSteps({ level: Heading }: { level: 'h2' | 'h3' }) {
  const { analyticsId, traderName, traderAddress } = siteSettings();
  const now = useNow();
  const issue = nextIssue(now);
  const firstCharge = formatLongDate(addDays(now, OFFER.trialDays), true);
  const steps = [
    {
      when: 'Now',
      what:
        'You’ll pay nothing today. Stripe opens and takes your card details. We never see ' +
        'them.',
    },
    {
      when: `${formatLongDate(issue.at, true)}, ${formatIssueTime(issue.at)}`,
      what: `Issue #${issue.number} reaches your inbox.`,
    },
    {
      when: `Before ${firstCharge}`,
      what: `Cancel any time before day ${OFFER.trialDays} and nothing is charged.`,
    },
    {
      when: firstCharge,
      what:
        `First charge, ${formatPence(shownOffer().monthlyPricePence, true)}, then monthly. ` +
        `Refunded in full if you ask within ${OFFER.guaranteeDays} days of the day your trial ` +
        'begins.',
    },
  ];
  return (
    <section className={`${sheet.sheet} ${styles.side}`} aria-labelledby="next-steps">
      <Heading id="next-steps" className={`minor ${styles.heading}`}>
        What happens next
      </Heading>
      <ol>
        {steps.map(({ when, what }) => (
          <li key={when} className={styles.step}>
            <strong>{when}</strong>
            <span>{what}</span>
          </li>
        ))}
      </ol>
      <Sum terms={[]} result={{ label: 'Due today', value: formatPence(0, true) }} />
      <p className={`note ${styles.small}`}>
        <span>
          Your details go to Stripe for payment and to Beehiiv for delivery
          {analyticsId === null && ', and nowhere else'}.{' '}
        </span>
        <span>{`${traderName}, ${traderAddress}. `}</span>
        <span>
          Questions: <SupportLink />
        </span>
      </p>
    </section>
  );
}
