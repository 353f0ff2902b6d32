import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import styles from './ConsentText.module.css';

/** What whoever goes on agrees to, word for word as it is kept, with the version that names it. */
export function ConsentText() {
  return (
    <p className={styles.consent}>
      {CONSENT_TEXTS[CURRENT_CONSENT_VERSION]} Consent text {CURRENT_CONSENT_VERSION}.
    </p>
  );
}
