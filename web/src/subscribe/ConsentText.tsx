import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import styles from './ConsentText.module.css';

/** The consent sentence, exactly as stored with the lead, and its version. */
export function ConsentText() {
  return (
    <p className={styles.consent}>
      {CONSENT_TEXTS[CURRENT_CONSENT_VERSION]} Consent text {CURRENT_CONSENT_VERSION}.
    </p>
  );
}
