import type { Receipt as ReceiptDetails } from '@site/schema/checkout';
import { formatLongDate } from '@site/schema/calendar';
import { formatPence, OFFER } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import sheet from '../../ui/Sheet.module.css';
import { Sum } from '../../ui/Sum.tsx';
import styles from './Receipt.module.css';

const AWAITED = '–';

/** The receipt. While Stripe has not confirmed, the same sheet with dashes for what is awaited. */
export function Receipt({ receipt }: { receipt: ReceiptDetails | undefined }) {
  return (
    <section className={`${sheet.sheet} ${styles.receipt}`} aria-labelledby="receipt">
      <h2 id="receipt" className={styles.heading}>
        Receipt
      </h2>
      <div className={styles.entries}>
        <Sum
          roomy
          terms={entriesOf(receipt).map((entry) => ({ ...entry, value: shown(entry.value, receipt) }))}
          result={{
            label: 'Paid today',
            value: shown(receipt ? formatPence(receipt.paidTodayPence, true) : AWAITED, receipt),
          }}
        />
      </div>
      <h3 className={styles.heading}>How to cancel</h3>
      <HowToCancel receipt={receipt} />
    </section>
  );
}

/** A figure takes the dash's place as an element of its own: text that merely grew would count as having moved. */
function shown(value: ReactNode, receipt: ReceiptDetails | undefined) {
  return <span key={receipt ? 'known' : 'awaited'}>{value}</span>;
}

function entriesOf(receipt: ReceiptDetails | undefined) {
  const day = (at: string | null | undefined) => (at ? formatLongDate(new Date(at)) : AWAITED);
  const hasTrial = receipt?.firstChargeAt !== null;
  return [
    { label: 'Bought', value: receipt ? `${OFFER.productName}, ${receipt.interval}` : AWAITED },
    { label: 'Name', value: <bdi>{receipt?.name ?? AWAITED}</bdi> },
    { label: 'Sent to', value: <bdi>{receipt?.email ?? AWAITED}</bdi> },
    { label: hasTrial ? 'Trial began' : 'Began', value: day(receipt?.startedAt) },
    { label: 'First charge', value: day(hasTrial ? receipt?.firstChargeAt : receipt.startedAt) },
    {
      label: hasTrial ? 'Amount then' : 'Amount',
      value: receipt
        ? `${formatPence(receipt.amountPence, true)} a ${receipt.interval === 'annual' ? 'year' : 'month'}`
        : AWAITED,
    },
  ];
}

function HowToCancel({ receipt }: { receipt: ReceiptDetails | undefined }) {
  const { portalLoginUrl } = siteSettings();
  const until = receipt?.firstChargeAt
    ? formatLongDate(new Date(receipt.firstChargeAt), true).replace(/^\S+ /, '')
    : null;
  const consequence = until === null ? ' at any time.' : ` before ${until} and nothing is charged.`;
  return (
    <p className={styles.cancel}>
      {portalLoginUrl ? (
        <>
          Open <a href={portalLoginUrl}>your Stripe account page</a>
        </>
      ) : (
        <>
          Write to <SupportLink />
        </>
      )}
      {consequence} No call, no form.
    </p>
  );
}
