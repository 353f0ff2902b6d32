import type { Receipt as ReceiptDetails } from '@site/schema/calls/visitor';
import { addDays, formatLongDate } from '@site/schema/calendar';
import { formatPence, OFFER } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { SupportLink } from '../../site/SupportLink.tsx';
import { useNow } from '../../site/use-now.ts';
import { siteSettings } from '../../site-settings.ts';
import { EmailText } from '../../ui/EmailText.tsx';
import { ReservedSpace } from '../../ui/ReservedSpace.tsx';
import { NoBreak } from '../../ui/NoBreak.tsx';
import sheet from '../../ui/Sheet.module.css';
import { Sum } from '../../ui/Sum.tsx';
import styles from './Receipt.module.css';

const AWAITED = '–';
/** What the API puts for the rest of a name or an address in another browser than the one that paid. */
const HIDDEN = '•••';

/** The receipt. Until Stripe confirms, it shows dashes for the missing values. */
export function Receipt({ receipt }: { receipt: ReceiptDetails | undefined }) {
  return (
    <section className={`${sheet.sheet} ${styles.receipt}`} aria-labelledby="receipt">
      <h2 id="receipt" className={styles.heading}>
        Receipt
      </h2>
      <div className={styles.entries}>
        <Sum
          roomy
          terms={entriesOf(receipt)}
          result={{
            label: 'Paid today',
            value: shown(receipt, formatPence(receipt?.paidTodayPence ?? 0, true)),
          }}
        />
      </div>
      {receipt?.email?.includes(HIDDEN) && (
        <p className={styles.hidden}>
          Name and address are shown in full only in the browser that paid, and in Stripe’s email.
        </p>
      )}
      <h3 className={styles.heading}>How to cancel</h3>
      <HowToCancel receipt={receipt} />
    </section>
  );
}

/** No formatted date is longer. */
const LONGEST_DATE = 'Wednesday 30 September 2026';

/** Shows a dash until Stripe has confirmed, and reserves room for the value. */
function shown(receipt: ReceiptDetails | undefined, value: ReactNode, room = '') {
  return (
    <ReservedSpace room={room} stage={receipt ? 'known' : 'awaited'}>
      {receipt ? value : AWAITED}
    </ReservedSpace>
  );
}

function entriesOf(receipt: ReceiptDetails | undefined) {
  const day = (at: string | null | undefined) =>
    shown(receipt, at ? formatLongDate(new Date(at)) : AWAITED, LONGEST_DATE);
  const hasTrial = receipt?.firstChargeAt !== null;
  return [
    {
      label: 'Bought',
      value: shown(receipt, `${OFFER.productName}, ${receipt?.interval}`, `${OFFER.productName}, monthly`),
    },
    // Not every way to pay asks for one.
    ...(receipt?.name === null ? [] : [{ label: 'Name', value: shown(receipt, <bdi>{receipt?.name}</bdi>) }]),
    { label: 'Sent to', value: shown(receipt, <EmailText before="@.">{receipt?.email ?? AWAITED}</EmailText>) },
    { label: hasTrial ? 'Trial began' : 'Began', value: day(receipt?.startedAt) },
    { label: 'First charge', value: day(hasTrial ? receipt?.firstChargeAt : receipt.startedAt) },
    {
      label: hasTrial ? 'Amount then' : 'Amount',
      value: shown(
        receipt,
        receipt && `${formatPence(receipt.amountPence, true)} a ${receipt.interval === 'annual' ? 'year' : 'month'}`,
      ),
    },
    ...vatEntries(receipt),
  ];
}

/** VAT is included in the price. Of a trial, none is due yet. */
function vatEntries(receipt: ReceiptDetails | undefined) {
  if (!receipt?.vat) return [];
  const { paidTodayPence, taxIds } = receipt.vat;
  const amount = paidTodayPence > 0 ? `${formatPence(paidTodayPence, true)} of what was paid today` : 'Included';
  const number = { label: 'Your VAT number', value: <bdi>{taxIds.join(', ')}</bdi> };
  return [{ label: 'VAT', value: amount }, ...(taxIds.length > 0 ? [number] : [])];
}

function HowToCancel({ receipt }: { receipt: ReceiptDetails | undefined }) {
  const { portalLoginUrl, supportEmail } = siteSettings();
  // The date of a trial that begins now reserves room for the real one.
  const usual = addDays(useNow(), OFFER.trialDays).toISOString();
  const way = portalLoginUrl ? 'Open Manage subscription' : `Write to ${supportEmail}`;
  return (
    <div className={styles.cancel}>
      <ReservedSpace room={`${way}${consequenceOf(usual)}`} stage={receipt ? 'known' : 'awaited'}>
        {portalLoginUrl ? (
          <>
            Open <a href={portalLoginUrl}>Manage subscription</a>
          </>
        ) : (
          <>
            Write to <SupportLink />
          </>
        )}
        <NoBreak>{consequenceOf(receipt?.firstChargeAt)}</NoBreak>
      </ReservedSpace>
    </div>
  );
}

function consequenceOf(firstChargeAt: string | null | undefined): string {
  if (!firstChargeAt) return ' at any time. No call, no form.';
  const [, ...until] = formatLongDate(new Date(firstChargeAt), true).split(' ');
  return ` before ${until.join(' ')} and nothing is charged. No call, no form.`;
}
