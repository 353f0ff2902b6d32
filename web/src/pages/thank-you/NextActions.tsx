import { OFFER } from '@site/schema/offer';
import { EmailText } from '../../ui/EmailText.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import styles from './ThankYouPage.module.css';

/** What a new subscriber can do now, so that the first issue arrives. */
export function NextActions({ email }: { email: string | null }) {
  return (
    <section className={styles.actions} aria-labelledby="next-actions">
      <h2 id="next-actions">What to do now</h2>
      <ol>
        <li>
          Look for an email from {OFFER.productName}
          {email !== null && (
            <>
              {' '}
              at <EmailText>{email}</EmailText>
            </>
          )}
          . If it is in your spam folder, move it to the inbox and add the sender to your contacts.
        </li>
        <li>
          Open “Read online” in any issue for the past ones. Log in there with the same address. If it does not open
          them, write to <SupportLink />.
        </li>
      </ol>
    </section>
  );
}
