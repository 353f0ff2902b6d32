import type { Receipt as ReceiptDetails } from '@site/schema/calls/visitor';
import { formatLongDate } from '@site/schema/calendar';
import { formatPence, OFFER } from '@site/schema/offer';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import sheet from '../../ui/Sheet.module.css';
import { Sum } from '../../ui/Sum.tsx';
import styles from './Receipt.module.css';

/** The API's mask for the rest of a name or an email, in a browser that did not pay. */
const HIDDEN = '•••';

/**
 * Returns false if the viewer may not be the payer, because the link was passed on or is a day old.
 */
export const hasFullDetails = ({ email }: ReceiptDetails) => !email?.includes(HIDDEN);

/** Renders Stripe's confirmed receipt. */
export function Receipt({ receipt }: { receipt: ReceiptDetails }) {
  return (
    <section className={`${sheet.sheet} ${styles.receipt}`} aria-labelledby="receipt">
      <h2 id="receipt" className="minor">
        Receipt
      </h2>
      <Sum
        terms={entriesOf(receipt)}
        result={{ label: 'Paid today', value: formatPence(receipt.paidTodayPence, true) }}
      />
      {!hasFullDetails(receipt) && (
        <p>
          Name and address are shown in full only in the browser that filled in our form, and in
          Stripe’s email.
        </p>
      )}
      <h3>How to cancel</h3>
      <HowToCancel {...receipt} />
    </section>
  );
}

function entriesOf({
  interval,
  name,
  email,
  startedAt,
  firstChargeAt,
  amountPence,
  vat,
}: ReceiptDetails) {
  const day = (at: string) => formatLongDate(new Date(at));
  const hasTrial = firstChargeAt !== null;
  return [
    { label: 'Bought', value: `${OFFER.productName}, ${interval}` },
    // Some payment methods ask for no name.
    ...(name === null ? [] : [{ label: 'Name', value: <bdi>{name}</bdi> }]),
    { label: 'Sent to', value: email === null ? '–' : <bdi>{email}</bdi> },
    { label: hasTrial ? 'Trial began' : 'Began', value: day(startedAt) },
    { label: 'First charge', value: day(firstChargeAt ?? startedAt) },
    {
      label: hasTrial ? 'Amount then' : 'Amount',
      value: `${formatPence(amountPence, true)} a ${interval === 'annual' ? 'year' : 'month'}`,
    },
    ...vatEntries(vat),
  ];
}

/** Lists the VAT, which the price includes. During a trial no VAT is due yet. */
function vatEntries(vat: ReceiptDetails['vat']) {
  if (!vat) return [];
  const { paidTodayPence, taxIds } = vat;
  const amount =
    paidTodayPence > 0 ? `${formatPence(paidTodayPence, true)} of what was paid today` : 'Included';
  const number = { label: 'Your VAT number', value: <bdi>{taxIds.join(', ')}</bdi> };
  return [{ label: 'VAT', value: amount }, ...(taxIds.length > 0 ? [number] : [])];
}

function HowToCancel({ firstChargeAt }: ReceiptDetails) {
  const { portalLoginUrl } = siteSettings();
  return (
    <p>
      {portalLoginUrl ? (
        <>
          Open <a href={portalLoginUrl}>Manage subscription</a>
        </>
      ) : (
        <>
          Write to <SupportLink />
        </>
      )}
      {consequenceOf(firstChargeAt)}
    </p>
  );
}

function consequenceOf(firstChargeAt: string | null): string {
  if (firstChargeAt === null) return ' at any time. No call, no form.';
  const [, ...until] = formatLongDate(new Date(firstChargeAt), true).split(' ');
  return ` before ${until.join(' ')} and nothing is charged. No call, no form.`;
}
