import { OFFER } from '@site/schema/offer';
import styles from './ThankYouPage.module.css';

/** What a new subscriber can do, so that the first issue arrives. */
export function NextActions() {
  return (
    <section className={styles.actions} aria-labelledby="next-actions">
      <h2 id="next-actions">What to do now</h2>
      <ol>
        <li>
          Look for an email from {OFFER.productName}. If it is in your spam folder, move it to the inbox and add the
          sender to your contacts.
        </li>
        <li>Past issues: open “Read online” in any issue, and log in with the address that it came to.</li>
      </ol>
    </section>
  );
}
